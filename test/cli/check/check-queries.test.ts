import { expect, test } from '@jest/globals';
import { checkQueries } from '../../../cli/check/check-queries.ts';
import { loadEndpoints } from '../../../shared/endpoints/load-endpoints.ts';
import { loadTableSchemas } from '../../../shared/schema/load-table-schemas.ts';

const { all } = await loadEndpoints('queries');
const schemas = await loadTableSchemas('queries/sources');

test('the queries that come with the program are in order', async () => {
  expect(await checkQueries(all, schemas)).toEqual([]);
});

test('sealed buckets that do not go with their query are an error', async () => {
  const limited = all.map((endpoint) => ({ ...endpoint, sql: `${endpoint.sql.trimEnd()} LIMIT 7` }));
  const counts = limited.filter(({ sealedBuckets }) => sealedBuckets !== null);
  expect(await checkQueries(counts, schemas)).toMatchObject([
    {
      severity: 'error',
      problem: expect.stringMatching(
        /^usage\.api-counts\.sql: sealedBuckets does not go with this query: LIMIT/,
      ),
    },
  ]);
});
