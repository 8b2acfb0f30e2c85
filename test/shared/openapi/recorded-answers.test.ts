import { expect, test } from '@jest/globals';
import { loadEndpoints } from '../../../shared/endpoints/load-endpoints.ts';
import { answersOf, namedExamples, recordedAnswers } from '../../../shared/openapi/recorded-answers.ts';

const endpoints = await loadEndpoints('queries');

test('no two examples of an operation have one name', () => {
  const names = recordedAnswers().map(
    ({ endpoint, request, name }) => `${endpoint} ${request.method} ${name}`,
  );
  expect(new Set(names).size).toBe(names.length);
});

test('an endpoint whose query was changed has no examples, since they would not be its answers', () => {
  const recorded = new Set(recordedAnswers().map(({ endpoint }) => endpoint));
  expect(recorded.size).toBeGreaterThan(0);
  for (const endpoint of endpoints.all.filter(({ name }) => recorded.has(name))) {
    expect(answersOf(endpoint).length).toBeGreaterThan(0);
    expect(answersOf({ ...endpoint, sql: `${endpoint.sql} ` })).toEqual([]);
    expect(answersOf({ ...endpoint, maxRows: 1 })).toEqual([]);
    expect(answersOf({ ...endpoint, name: 'another' })).toEqual([]);
  }
});

test('an example shows the request that it answers, and no token', () => {
  const found = namedExamples(recordedAnswers(), 415, 'application/json') as Record<
    string,
    { description: string }
  >;
  expect(found['form-by-post']?.description).toBe(
    [
      '```http',
      'POST /api/endpoints/query/logs.all',
      'Content-Type: application/x-www-form-urlencoded',
      '',
      'project=demo',
      '```',
    ].join('\n'),
  );
  expect(namedExamples(recordedAnswers(), 418, 'application/json')).toBeNull();
});
