import { describe, expect, test } from '@jest/globals';
import { missingFields } from '../../../shared/schema/missing-fields.ts';
import { tableSchema } from '../../../shared/schema/table-schema.ts';

const schema = (...fields: readonly object[]) => tableSchema.parse(fields);
const field = (name: string) => ({ name, type: 'STRING' });
const record = (name: string, ...fields: readonly object[]) => ({
  name,
  type: 'RECORD',
  mode: 'REPEATED',
  fields,
});

const EXPECTED = schema(
  field('id'),
  record('metadata', field('level'), record('request', field('path'), field('url'))),
);

describe('missingFields', () => {
  test.each<[string, ReturnType<typeof schema>, string[]]>([
    ['all that is expected', EXPECTED, []],
    [
      'more',
      schema(
        ...[
          field('more'),
          field('id'),
          record('metadata', field('level'), record('request', field('path'), field('url'))),
        ],
      ),
      [],
    ],
    [
      'names in another case',
      schema(field('ID'), record('Metadata', field('Level'), record('Request', field('Path'), field('Url')))),
      [],
    ],
    [
      'no nested field',
      schema(field('id'), record('metadata', field('level'), record('request', field('path')))),
      ['logs.metadata.request.url'],
    ],
    ['no record', schema(field('id'), record('metadata', field('level'))), ['logs.metadata.request']],
    ['hardly anything', schema(field('x')), ['logs.id', 'logs.metadata']],
  ])('of a table with %s', (_, present, missing) => {
    expect(missingFields(new Map([['logs', present]]), new Map([['logs', EXPECTED]]))).toEqual(missing);
  });

  test('of a table that is not there are none', () => {
    expect(missingFields(new Map(), new Map([['logs', EXPECTED]]))).toEqual([]);
  });
});
