import * as z from 'zod';
import { ServiceError } from '../../errors/service-error.ts';
import { type QueryFacts, sortedNames } from './query-facts.ts';

const parsed = z.object({ tableList: z.array(z.string()), ast: z.unknown() });
const statement = z.looseObject({
  with: z.array(z.looseObject({ name: z.object({ value: z.string() }) })).nullish(),
});
const parameter = z.object({ type: z.literal('param'), value: z.string() });
const syntaxError = z.object({
  location: z.object({ start: z.object({ line: z.number(), column: z.number() }) }),
});

/**
 * What node-sql-parser finds in a stored query: a second opinion by code that shares nothing with the analyzer. It is
 * loaded on the first call, takes exponential time on nested brackets, and so is for stored queries alone, at build
 * and check time. Throws a ServiceError (invalid_argument) for a query that it cannot read.
 */
export async function readWithNodeSqlParser(sql: string, dataset: string): Promise<QueryFacts> {
  const { tableList, ast } = parsed.parse(await parse(sql));
  const [first] = Array.isArray(ast) ? ast : [ast];
  const parameters = new Set<string>();
  collectParameters(ast, parameters);
  return {
    tables: sortedNames(
      tableList.flatMap((entry) => {
        const [, database, table = ''] = entry.split('::');
        return database === dataset ? [table] : [];
      }),
    ),
    parameters: sortedNames(parameters),
    ctes: sortedNames((statement.parse(first).with ?? []).map(({ name }) => name.value.toLowerCase())),
  };
}

async function parse(sql: string): Promise<unknown> {
  const {
    default: { Parser },
  } = await import('node-sql-parser/build/bigquery.js');
  try {
    return new Parser().parse(sql, { database: 'bigquery' });
  } catch (cause) {
    const { data } = syntaxError.safeParse(cause);
    const place =
      data === undefined ? '' : ` (line ${data.location.start.line}, column ${data.location.start.column})`;
    throw new ServiceError(
      'invalid_argument',
      `the second reader of stored queries, node-sql-parser, cannot read it; write this part in another way${place}`,
      { cause },
    );
  }
}

function collectParameters(node: unknown, found: Set<string>): void {
  if (typeof node !== 'object' || node === null) return;
  const { data } = parameter.safeParse(node);
  if (data !== undefined) found.add(data.value.toLowerCase());
  for (const child of Object.values(node)) collectParameters(child, found);
}
