import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { endpointTypes } from '../../client/generate/endpoint-types.ts';
import { loadEndpoints } from '../../shared/endpoints/load-endpoints.ts';
import { loadTableSchemas } from '../../shared/schema/load-table-schemas.ts';

test('the committed types are those of their endpoints; "npm run client:types" writes them again', async () => {
  const { all } = await loadEndpoints('queries');
  const tables = await loadTableSchemas('queries/sources');
  const committed = await readFile('client/endpoints.d.ts', 'utf8');
  const names = [...committed.matchAll(/^ {2}"(.+)": \{$/gm)].map(([, name]) => name);
  // An endpoint that was just added has its types when somebody calls it with the client.
  const typed = all.filter(({ name }) => names.includes(name));
  expect(typed.length).toBeGreaterThan(1);
  expect(committed).toBe(endpointTypes(typed, tables));
});

test('names and values that are no identifiers are quoted, and a comment cannot be left', () => {
  const endpoint = {
    name: "o'clock",
    description: 'ends */ here',
    parameters: [
      {
        name: 'mode',
        type: 'STRING' as const,
        required: true,
        allowed: ["a'b"],
        format: null,
        maxLength: 9,
        description: 'The mode',
        example: 'x',
      },
    ],
    sql: "select 1 as `or der`, [1.5] as list, struct('a' as b, 2) as pair, json '1' as anything",
  };
  const text = endpointTypes([endpoint], new Map());
  expect(text).toContain(`"o'clock": {`);
  expect(text).toContain('/** ends * / here */');
  expect(text).toContain(`readonly mode: 'a\\'b';`);
  expect(text).toContain(`readonly 'or der': Int64 | null;`);
  expect(text).toContain('readonly list: readonly Float64[] | null;');
  expect(text).toContain('readonly _field_2: Int64 | null;');
  expect(text).toContain('readonly anything: unknown | null;');
});
