import { fileTokenRegistry } from '../../../../shared/access/file-token-registry.ts';
import { issueToken } from '../../../../shared/access/issue-token.ts';
import {
  queryDigest,
  type RecordedAnswer,
  requestPath,
} from '../../../../shared/openapi/recorded-answers.ts';
import { type RealService, startRealService } from '../../../data/support/real-service.ts';
import { type Answer, call } from '../../http/support/http-client.ts';

/** The clock at which the examples were given; demo logs are the same at the same time. */
export const EXAMPLES_NOW = '2026-01-31T12:10:00Z';

/** The service whose answers are the document's examples. */
export interface ExamplesService {
  readonly running: RealService;
  /** Sends a recorded request. */
  send(recorded: RecordedAnswer): Promise<Answer>;
}

export async function startForExamples(): Promise<ExamplesService> {
  const running = await startRealService('--now', EXAMPLES_NOW);
  const { tokensFile } = running.service.config;
  const limited = issueToken(
    { name: 'limited', endpoints: null, projects: ['demo'], expiresAtMs: null },
    Date.now(),
  );
  const registry = fileTokenRegistry(tokensFile);
  await registry.add(limited.record);
  await registry.close();
  const tokens = { free: running.service.localToken, limited: limited.token, none: null };

  return {
    running,
    send: (recorded) => {
      const { method, headers, body, token } = recorded.request;
      const key = tokens[token];
      return call(running.port, requestPath(recorded), {
        method,
        headers: { ...(key === null ? {} : { 'x-api-key': key }), ...headers },
        ...(body === null ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
    },
  };
}

/** The recorded request with what the service answers to it now. */
export async function answerAnew(
  { running, send }: ExamplesService,
  recorded: RecordedAnswer,
): Promise<RecordedAnswer> {
  const answer = await send(recorded);
  const endpoint = running.service.endpoints.find(recorded.endpoint);
  if (endpoint === undefined) throw new Error(`there is no endpoint ${recorded.endpoint}`);
  const mediaType = String(answer.headers['content-type']).replace(/;.*$/, '');
  return {
    ...recorded,
    digest: queryDigest(endpoint),
    answer: {
      code: answer.status,
      mediaType,
      body: mediaType === 'application/json' ? JSON.parse(answer.text) : answer.text,
    },
  };
}
