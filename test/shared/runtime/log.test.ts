import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { invalidParameter, ServiceError } from '../../../shared/errors/service-error.ts';
import type { RequestRecord } from '../../../shared/http/http-deps.ts';
import { type Logger, type LoggerOptions, makeLogger } from '../../../shared/runtime/log.ts';

const TRACE = '105445aa7843bc8bf206b12000100000';
const NOW_MS = Date.UTC(2026, 0, 31, 12, 30, 0, 123);

/** What `use` writes, line by line. */
function linesOf(use: (logger: Logger) => void, options: Partial<LoggerOptions> = {}): readonly string[] {
  const written: string[] = [];
  use(
    makeLogger({
      format: 'json',
      level: 'info',
      nowMs: () => NOW_MS,
      write: (line) => written.push(line),
      ...options,
    }),
  );
  for (const line of written) expect(line.endsWith('\n')).toBe(true);
  return written.map((line) => line.slice(0, -1));
}

function jsonOf(
  use: (logger: Logger) => void,
  options: Partial<LoggerOptions> = {},
): Record<string, unknown> {
  const lines = linesOf(use, options);
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] ?? '');
}

const record = (change: Partial<RequestRecord> = {}): RequestRecord => ({
  requestId: 'r1',
  method: 'GET',
  path: '/api/endpoints/query/logs.all',
  status: 200,
  responseBytes: 2048,
  latencyMs: 12.34,
  timing: 'auth;dur=0.1',
  headers: {
    'user-agent': 'curl/8',
    'x-api-key': 'token-token-token',
    authorization: 'Bearer token-token-token',
  },
  remoteAddress: '192.0.2.1',
  protocol: 'HTTP/1.1',
  notes: { endpoint: 'logs.all', rows: 3 },
  error: undefined,
  ...change,
});

describe('the line of a request', () => {
  test('is what Cloud Logging reads', () => {
    expect(jsonOf((logger) => logger.request(record()))).toEqual({
      severity: 'INFO',
      message: 'GET /api/endpoints/query/logs.all 200',
      time: '2026-01-31T12:30:00.123Z',
      httpRequest: {
        requestMethod: 'GET',
        requestUrl: '/api/endpoints/query/logs.all',
        status: 200,
        latency: '0.012s',
        responseSize: '2048',
        protocol: 'HTTP/1.1',
        userAgent: 'curl/8',
        remoteIp: '192.0.2.1',
      },
      requestId: 'r1',
      endpoint: 'logs.all',
      rows: 3,
      timing: 'auth;dur=0.1',
    });
  });

  test('is one readable line on a terminal', () => {
    expect(linesOf((logger) => logger.request(record()), { format: 'pretty' })).toEqual([
      '12:30:00.123 INFO    GET /api/endpoints/query/logs.all 200 0.012s 2048 B requestId=r1 endpoint=logs.all rows=3 timing=auth;dur=0.1',
    ]);
  });

  test.each<[number, string]>([
    [200, 'INFO'],
    [304, 'INFO'],
    [400, 'WARNING'],
    [499, 'WARNING'],
    [500, 'ERROR'],
    [504, 'ERROR'],
  ])('of an answer %d has severity %s', (status, severity) => {
    expect(jsonOf((logger) => logger.request(record({ status }))).severity).toBe(severity);
  });

  test.each<[string | undefined, string]>([
    [undefined, TRACE],
    ['my-project', `projects/my-project/traces/${TRACE}`],
  ])('names the trace (project %s)', (projectId, trace) => {
    const headers = { 'x-cloud-trace-context': `${TRACE}/1;o=1` };
    const options = projectId === undefined ? {} : { projectId };
    expect(jsonOf((logger) => logger.request(record({ headers })), options)).toMatchObject({
      'logging.googleapis.com/trace': trace,
      'logging.googleapis.com/spanId': '0000000000000001',
      'logging.googleapis.com/trace_sampled': true,
    });
  });

  test('leaves out what is not known', () => {
    const { httpRequest } = jsonOf((logger) =>
      logger.request(record({ headers: {}, remoteAddress: undefined })),
    );
    expect(Object.keys(httpRequest as object)).not.toEqual(expect.arrayContaining(['userAgent']));
    expect(Object.keys(httpRequest as object)).not.toEqual(expect.arrayContaining(['remoteIp']));
  });

  test('cuts what a caller made too long', () => {
    const [line = ''] = linesOf((logger) =>
      logger.request(
        record({ path: `/${'a'.repeat(100_000)}`, headers: { 'user-agent': 'b'.repeat(100_000) } }),
      ),
    );
    expect(line.length).toBeLessThan(6000);
  });
});

describe('secrets', () => {
  const refused = invalidParameter('project', "Parameter 'project' is not valid: 'hunter2' is no project.");

  test.each(['json', 'pretty'] as const)('are in no %s line: tokens and parameters', (format) => {
    const [line] = linesOf(
      (logger) => logger.request(record({ path: '/a?project=hunter2#hunter2', status: 400, error: refused })),
      { format },
    );
    expect(line).not.toMatch(/hunter2|token-token/);
    expect(line).toContain('project');
  });

  test("a refusal's kind and parameter are logged, its text from debug level on", () => {
    const write = (logger: Logger) => logger.request(record({ status: 400, error: refused }));
    expect(jsonOf(write).error).toEqual({ kind: 'invalid_argument', parameters: ['project'] });
    expect(jsonOf(write, { level: 'debug' }).error).toEqual({
      kind: 'invalid_argument',
      message: refused.message,
    });
  });

  test.each([
    'x-api-key',
    'X-API-KEY',
    'Authorization',
    'proxy-authorization',
    'cookie',
    'set-cookie',
    'token',
    'access_token',
    'password',
    'apiKey',
  ])('are taken out of fields named %s, at any depth', (name) => {
    const fields = {
      headers: { [name]: 'hunter2', accept: '*/*' },
      map: new Map([[name, 'hunter2']]),
      list: [{ [name]: ['hunter2'] }],
    };
    for (const format of ['json', 'pretty'] as const) {
      const [line] = linesOf((logger) => logger.info('start', fields), { format });
      expect(line).not.toContain('hunter2');
      expect(line).toContain('[redacted]');
      expect(line).toContain('*/*');
    }
  });
});

describe('errors', () => {
  const deepest = new TypeError('socket closed');
  const failure = new ServiceError('unavailable', 'The warehouse does not answer.', {
    cause: new Error('query failed', { cause: deepest }),
  });

  test('come with their chain of causes', () => {
    const causes = ['Error: query failed', 'TypeError: socket closed'];
    const expected = { kind: 'unavailable', message: 'The warehouse does not answer.', causes };
    expect(jsonOf((logger) => logger.request(record({ status: 503, error: failure }))).error).toEqual(
      expected,
    );
    expect(jsonOf((logger) => logger.error('the load failed', failure))).toMatchObject({
      message: 'the load failed',
      severity: 'ERROR',
      error: expected,
    });
  });

  test('are one line on a terminal', () => {
    const [line, ...others] = linesOf((logger) => logger.error('stopped', failure, { source: 'edge_logs' }), {
      format: 'pretty',
    });
    expect(line).toBe(
      '12:30:00.123 ERROR   stopped source=edge_logs unavailable: The warehouse does not answer. <- Error: query failed <- TypeError: socket closed',
    );
    expect(others).toEqual([]);
  });

  test('that are unexpected show where they come from', () => {
    const { error } = jsonOf((logger) => logger.error('bug', new RangeError('oops')));
    expect(error).toMatchObject({
      kind: 'internal',
      message: 'RangeError: oops',
      stack: expect.stringContaining('log.test.ts'),
    });
  });

  test('that are their own cause end', () => {
    const error = new Error('loop');
    error.cause = error;
    expect(jsonOf((logger) => logger.error('bug', error)).error).toMatchObject({
      causes: Array(8).fill('Error: loop'),
    });
  });

  test.each([['text'], [undefined], [null], [3], [{ a: 1 }]])('may be anything: %p', (thrown) => {
    expect(jsonOf((logger) => logger.error('bug', thrown)).error).toMatchObject({
      kind: 'internal',
      message: expect.any(String),
    });
  });
});

describe('levels', () => {
  const all = (logger: Logger) => {
    logger.debug('d');
    logger.info('i');
    logger.warn('w');
    logger.error('e', new ServiceError('internal', 'x'));
  };
  test.each([
    ['debug', ['DEBUG', 'INFO', 'WARNING', 'ERROR']],
    ['info', ['INFO', 'WARNING', 'ERROR']],
    ['warn', ['WARNING', 'ERROR']],
    ['error', ['ERROR']],
  ] as const)('%s shows what is as severe', (level, severities) => {
    expect(linesOf(all, { level }).map((line) => JSON.parse(line).severity)).toEqual(severities);
  });
});

describe('hostile text', () => {
  /** Nothing that ends a line, drives a terminal or reorders text. */
  const SAFE = /^[^\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u;
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '\n{"severity":"ALERT"}',
      '\r',
      '\u001b]0;x\u0007',
      '\u009b2J',
      '\u202e',
      '\u2028',
      '\u0000',
      '"}',
      '\ud800',
      '\u007f',
    ),
  );

  test.each(['json', 'pretty'] as const)('stays within its %s line', (format) => {
    fc.assert(
      fc.property(hostile, (text) => {
        const lines = linesOf(
          (logger) => {
            logger.request(
              record({
                method: text,
                path: `/${text}`,
                headers: { 'user-agent': text },
                remoteAddress: text,
                status: 500,
                error: new Error(text, { cause: text }),
              }),
            );
            logger.info(text, { [text]: text, nested: { [text]: [text] } });
          },
          { format },
        );
        expect(lines).toHaveLength(2);
        for (const line of lines) {
          expect(line).toMatch(SAFE);
          if (format === 'json') expect(['ERROR', 'INFO']).toContain(JSON.parse(line).severity);
        }
      }),
    );
  });

  test.each(['severity', 'message', 'time', 'httpRequest', 'logging.googleapis.com/trace'])(
    'a field named %s forges nothing',
    (name) => {
      const entry = jsonOf((logger) => logger.info('true', { [name]: 'forged', other: 1 }));
      expect(entry).toEqual({
        severity: 'INFO',
        message: 'true',
        time: '2026-01-31T12:30:00.123Z',
        other: 1,
      });
    },
  );

  test('values that JSON does not have are written too', () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    const throwing = {
      get value(): string {
        throw new Error('no');
      },
    };
    const fields = {
      big: 2n ** 64n,
      nan: Number.NaN,
      at: new Date(0),
      never: new Date(Number.NaN),
      call: () => 1,
      cycle,
      throwing,
      none: null,
      yes: true,
    };
    expect(jsonOf((logger) => logger.info('odd', fields))).toMatchObject({
      big: '18446744073709551616',
      nan: 'NaN',
      at: '1970-01-01T00:00:00.000Z',
      never: 'Invalid Date',
      throwing: '[unreadable]',
      none: null,
      yes: true,
    });
  });
});
