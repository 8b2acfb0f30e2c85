import { describe, expect, test } from '@jest/globals';
import { makeRegistry } from '../../../../shared/endpoints/endpoint-registry.ts';
import { ServiceError } from '../../../../shared/errors/service-error.ts';
import { resolveAny, resolveOnly } from '../../../../shared/http/query/resolve-endpoint.ts';
import { tokenRecord } from '../../access/support/token-record.ts';
import { ENDPOINTS, LOGS_ID, USAGE_ID } from '../support/test-service.ts';

const REGISTRY = makeRegistry(ENDPOINTS);
const PATH = '/api/endpoints/query/';
const ANYTHING = tokenRecord('anything');

/** The message with which a path is refused. */
function refusal(resolve: () => unknown): string {
  try {
    resolve();
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'not_found') return error.message;
    throw error;
  }
  throw new Error('it was not refused');
}

describe('an endpoint that does not exist', () => {
  test.each([
    [
      'logs.al',
      null,
      'There is no such endpoint; did you mean logs.all? Call /api/endpoints/query/ followed by the id or the name of one: logs.all, usage.api-counts.',
    ],
    [
      'Logs.All',
      [LOGS_ID],
      `There is no such endpoint. Call /api/endpoints/query/ followed by the id or the name of one: ${LOGS_ID}.`,
    ],
    [
      'logs.al',
      ['usage.api-counts'],
      'There is no such endpoint. Call /api/endpoints/query/ followed by the id or the name of one: usage.api-counts.',
    ],
    ['', [], 'There is no such endpoint. Call /api/endpoints/query/ followed by the id or the name of one.'],
  ])('is refused as %j with those that a token for %j may use', (name, endpoints, message) => {
    const token = tokenRecord('some', { endpoints });
    expect(refusal(() => resolveAny(REGISTRY)(PATH + name, token))).toBe(message);
  });

  test('is refused where one is served with that one alone', () => {
    const resolve = resolveOnly(REGISTRY, 'logs.all');
    expect(refusal(() => resolve(`${PATH}usage.api-counts`, ANYTHING))).toBe(
      'There is no such endpoint. Call /api/endpoints/query/ followed by the id or the name of one: logs.all.',
    );
  });

  test.each([
    ['any is served', resolveAny(REGISTRY)],
    ['that one is served', resolveOnly(REGISTRY, USAGE_ID)],
    ['the one that the token has is served', resolveOnly(REGISTRY, LOGS_ID)],
  ])('is refused in the same words as one that the token may not use, where %s', (_, resolve) => {
    const token = tokenRecord('some', { endpoints: ['logs.all'] });
    const [unknown = '', ...others] = ['nothing', 'usage.api-counts', USAGE_ID, USAGE_ID.toUpperCase()].map(
      (name) => refusal(() => resolve(PATH + name, token)),
    );
    expect(others).toEqual([unknown, unknown, unknown]);
    expect(unknown).not.toContain('usage');
  });

  test('is refused at the address without a path, where the token may not use the only one', () => {
    const token = tokenRecord('some', { endpoints: ['logs.all'] });
    expect(refusal(() => resolveOnly(REGISTRY, USAGE_ID)('/', token))).not.toContain('usage');
  });

  test('is refused with no more than twenty others', () => {
    const [logs] = ENDPOINTS;
    const many = Array.from({ length: 21 }, (_, at) => ({ ...logs!, id: `${at}`, name: `some${at}` }));
    const message = refusal(() => resolveAny(makeRegistry(many))(`${PATH}other`, ANYTHING));
    expect(message).toMatch(/one: some0, some1, .*some19, …\.$/);
  });
});
