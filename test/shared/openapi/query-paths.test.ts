import { describe, expect, test } from '@jest/globals';
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts';
import { openApiDocument } from '../../../shared/openapi/document.ts';
import { ENDPOINTS } from '../http/support/test-service.ts';
import { contractOf, type Document } from './support/contract.ts';

const [LOGS] = ENDPOINTS;

/** The document of one endpoint, as it comes over the wire. */
function documentOf(changes: Partial<Endpoint>): Document {
  if (LOGS === undefined) throw new Error('there is no endpoint');
  const endpoint = { ...LOGS, name: 'made', ...changes };
  const columns = [{ name: 'id', type: { kind: 'STRING' as const } }];
  const document = openApiDocument([{ endpoint, columns, projects: null }], { hasIngest: false });
  return JSON.parse(JSON.stringify(document)) as Document;
}

const PATH = '/api/endpoints/query/made';
const parametersOf = (document: Document) =>
  (document.paths[PATH]?.get?.parameters ?? []).map(({ $ref, name }) => name ?? $ref?.split('/').at(-1));

const answer = (body: object) => ({
  status: 200,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    vary: 'Accept',
    'x-request-id': '1',
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'Age',
  },
  rawHeaders: [],
  text: JSON.stringify(body),
  json: () => body,
});

describe('an endpoint that takes no queries of consumers', () => {
  const document = documentOf({ sandbox: false });

  test('has no parameter for them', () => {
    expect(parametersOf(document)).toEqual(
      expect.arrayContaining(['explain', 'meta', 'format', 'timestamps', 'cursor']),
    );
    expect(parametersOf(document)).not.toContain('sql');
    expect(parametersOf(document)).not.toContain('lql');
  });

  test('has rows of only its columns', () => {
    const { problems } = contractOf(document);
    expect(problems(PATH, 'GET', answer({ result: [{ id: 'a' }] }))).toEqual([]);
    expect(problems(PATH, 'GET', answer({ result: [{ other: 'a' }] }))).not.toEqual([]);
  });
});

describe('an endpoint that takes them', () => {
  test('has rows of any columns, in the envelope and no other', () => {
    const { problems } = contractOf(documentOf({}));
    expect(problems(PATH, 'GET', answer({ result: [{ other: 'a' }] }))).toEqual([]);
    expect(problems(PATH, 'GET', answer({ result: ['a'] }))).not.toEqual([]);
    expect(problems(PATH, 'GET', answer({ result: [], more: 1 }))).not.toEqual([]);
    expect(problems(PATH, 'GET', answer({ rows: [] }))).not.toEqual([]);
  });
});

test('without required parameters every object of scalars is a body', () => {
  const { bodyProblems } = contractOf(documentOf({ parameters: [] }));
  expect(bodyProblems(PATH, {})).toEqual([]);
  expect(bodyProblems(PATH, { any: { thing: 1 } })).not.toEqual([]);
});

test('examples are shown for the query that gave them alone', () => {
  expect(JSON.stringify(documentOf({ name: 'logs.all' }))).not.toContain('"examples"');
});
