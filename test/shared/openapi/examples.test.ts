import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordedAnswers } from '../../../shared/openapi/recorded-answers.ts';
import { call } from '../http/support/http-client.ts';
import { answerAnew, type ExamplesService, startForExamples } from './support/answer-recorded.ts';
import { type Contract, contractOf, type Document } from './support/contract.ts';

const RECORDED = recordedAnswers();

let service: ExamplesService;
let document: Document;
let contract: Contract;
beforeAll(async () => {
  service = await startForExamples();
  const { port, service: parts } = service.running;
  const headers = { 'x-api-key': parts.localToken };
  document = (await call(port, '/openapi.json', { headers })).json() as Document;
  contract = contractOf(document);
});
afterAll(() => service.running.close());

test('every endpoint with examples has one of its rows, its formats and its faults', () => {
  const codes = (endpoint: string) =>
    RECORDED.filter((one) => one.endpoint === endpoint).map(
      ({ answer }) => `${answer.code} ${answer.mediaType}`,
    );
  const served = service.running.service.endpoints.all.map(({ name }) => name);
  for (const name of new Set(RECORDED.map(({ endpoint }) => endpoint))) {
    expect(served).toContain(name);
    const expected = ['200 application/json', '200 text/csv', '400 application/json', '401 application/json'];
    expect(codes(name)).toEqual(expect.arrayContaining(expected));
  }
});

describe.each(RECORDED.map((one) => [`${one.endpoint} ${one.name}`, one] as const))(
  'the example %s',
  (_, recorded) => {
    const path = `/api/endpoints/query/${recorded.endpoint}`;
    const { method, body } = recorded.request;

    test('is what the service answers; "npm run openapi:examples" writes it again', async () => {
      expect(await answerAnew(service, recorded)).toEqual(recorded);
    });

    test('is an answer as the document says', async () => {
      expect(contract.problems(path, method, await service.send(recorded))).toEqual([]);
    });

    test('stands in the document', () => {
      const operation = document.paths[path]?.[method.toLowerCase()];
      const response = operation?.responses[recorded.answer.code];
      const { mediaType } = recorded.answer;
      expect(response?.content?.[mediaType]?.examples?.[recorded.name]?.value).toEqual(recorded.answer.body);
    });

    if (typeof body === 'object' && body !== null) {
      test('has a body as the document says', () => {
        expect(contract.bodyProblems(path, body)).toEqual([]);
      });
    }
  },
);

test('an example without rows has a hint, as documented', () => {
  expect(contract.seenHeaders).toContain('X-Hint');
});
