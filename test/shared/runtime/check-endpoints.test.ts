import { expect, test } from '@jest/globals';
import { ConfigurationError } from '../../../shared/errors/configuration-error.ts';
import { checkEndpoints } from '../../../shared/runtime/check-endpoints.ts';
import { ENDPOINTS, makeTestService } from '../http/support/test-service.ts';

const [LOGS] = ENDPOINTS;

test.each([
  ['has no CTEs for consumers to read', 'select 1', /^logs\.all: .*WITH/],
  ['does not parse', 'with a as (select 1', /^logs\.all: Syntax error/],
  ['reads tables that are not there', 'with a as (select 1 from logs.b) select 1', /logs\.b/],
])('a stored query is refused that %s', async (_, sql, message) => {
  const { warehouse } = makeTestService();
  const checked = checkEndpoints([{ ...LOGS!, sql }], 'queries', { warehouse, forbiddenNames: [] });
  await expect(checked).rejects.toThrow(ConfigurationError);
  await expect(checked).rejects.toThrow(message);
});

test('sealed buckets are refused that do not go with their query', async () => {
  const { warehouse } = makeTestService();
  const [, counts] = ENDPOINTS;
  const sealedBuckets = { grain: 'hour', graceSeconds: 0, merge: {} } as const;
  const checked = checkEndpoints([{ ...counts!, sealedBuckets }], 'queries', {
    warehouse,
    forbiddenNames: [],
  });
  await expect(checked).rejects.toThrow(ConfigurationError);
  await expect(checked).rejects.toThrow(/usage\.api-counts.*sealedBuckets does not go with this query: /);
});

test('all faults are reported at once, a line each', async () => {
  const { warehouse } = makeTestService();
  const broken = ['one', 'two'].map((name) => ({ ...LOGS!, name, sql: 'select 1' }));
  const checked = checkEndpoints(broken, 'queries', { warehouse, forbiddenNames: [] });
  await expect(checked).rejects.toThrow(/^one: .*\ntwo: .*$/);
});
