import { connect } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { makeGateway } from '../../../functions/gateway.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import { makeReadyHandler } from '../../../shared/http/health-handlers.ts';
import { lazyHandler } from '../../../shared/http/lazy-handler.ts';
import type { HttpHandler } from '../../../shared/http/response/reply.ts';
import { HOSTS, type Host, serve } from './support/hosts.ts';
import { call } from './support/http-client.ts';
import { makeTestService, rowsOf, TOKEN } from './support/test-service.ts';

const PATH = '/api/endpoints/query/logs.all?project=a';
const auth = { 'x-api-key': TOKEN };

describe.each(HOSTS)('a client that goes away under %s', (_, start) => {
  test('takes its query along', async () => {
    const started = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<void>();
    const service = makeTestService({
      run: (_query, { signal }) => {
        started.resolve();
        return new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => {
            aborted.resolve();
            reject(new ServiceError('deadline_exceeded', 'The query was cancelled.'));
          });
        });
      },
    });
    const host = await start(makeGateway(service));
    const socket = connect(host.port, '127.0.0.1', () => {
      socket.write(`GET ${PATH} HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: ${TOKEN}\r\n\r\n`);
    });
    await started.promise;
    socket.destroy();
    await aborted.promise;
    while (service.lines.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(JSON.parse(service.lines.at(-1) ?? '').httpRequest).toMatchObject({
      status: 499,
      responseSize: '0',
    });
    await host.close();
  });
});

test('a query that is answered is not aborted when its connection closes', async () => {
  const service = makeTestService();
  await withHost(makeGateway(service), (host) => call(host.port, PATH, { headers: auth }));
  expect(service.runs[0]?.options.signal?.aborted).toBe(false);
});

describe('readiness', () => {
  test.each([
    ['throws', () => Promise.reject(new Error('no file at /var/lib/secret.db'))],
    ['never answers', () => new Promise<void>(() => {})],
  ])('is 503 in the error envelope when the warehouse %s', async (_, ping) => {
    const service = makeTestService({ ping });
    const answer = await withHost(makeReadyHandler(service, 50), (host) => call(host.port, '/readyz'));
    expect(answer.status).toBe(503);
    expect(answer.json()).toEqual({
      error: { code: 503, status: 'UNAVAILABLE', message: expect.any(String), details: [] },
    });
    expect(answer.text).not.toContain('secret');
    expect(JSON.parse(service.lines[0] ?? '')).toMatchObject({
      severity: 'ERROR',
      error: { kind: 'unavailable' },
    });
  });

  test('asks the warehouse once a second, whoever asks', async () => {
    const time = { nowMs: 0, pings: 0 };
    const clock = { monotonicMs: () => time.nowMs, wallMs: () => time.nowMs, sleep: async () => {} };
    const ping = async () => {
      time.pings += 1;
      if (time.pings === 1) throw new Error('down');
    };
    const service = makeTestService({ clock, ping });
    await withHost(makeGateway(service), async (host) => {
      const ask = async (count: number) => {
        const answers = await Promise.all(Array.from({ length: count }, () => call(host.port, '/readyz')));
        return [...new Set(answers.map(({ status }) => status))];
      };
      expect([await ask(20), time.pings]).toEqual([[503], 1]);
      time.nowMs = 1000;
      expect([await ask(20), time.pings]).toEqual([[200], 2]);
    });
  });

  test('does not matter to the check that the process is alive', async () => {
    const service = makeTestService({ ping: () => Promise.reject(new Error('down')) });
    const answer = await withHost(makeGateway(service), (host) => call(host.port, '/healthz'));
    expect(answer.status).toBe(200);
  });
});

describe('the token store', () => {
  test.each([
    ['is down', new ServiceError('unavailable', 'The token store failed.'), 503],
    ['has a fault', new Error('EACCES: /secret/tokens.json'), 500],
  ])('that %s answers no query', async (_, failure, code) => {
    const service = makeTestService({ tokens: { find: () => Promise.reject(failure) } });
    const answer = await withHost(makeGateway(service), (host) => call(host.port, PATH, { headers: auth }));
    expect(answer.status).toBe(code);
    expect(answer.text).not.toContain('secret');
    expect(service.runs).toEqual([]);
  });
});

describe('a request id', () => {
  test.each([
    ['is the caller’s own where it is a plain word', { 'x-request-id': 'abc-1.2_3' }, 'abc-1.2_3'],
    ['is a new one where it is not', { 'x-request-id': 'a b' }, 'request-1'],
  ])('%s', async (_, headers, id) => {
    const service = makeTestService();
    const answer = await withHost(makeGateway(service), (host) => call(host.port, '/healthz', { headers }));
    expect(answer.headers['x-request-id']).toBe(id);
    expect(JSON.parse(service.lines[0] ?? '').requestId).toBe(id);
  });

  test('and the parameters of requests at the same time are each their own', async () => {
    const waiting: (() => void)[] = [];
    const service = makeTestService({
      run: ({ parameters }) =>
        new Promise((resolve) => {
          waiting.push(() => resolve(rowsOf(JSON.stringify(parameters.get('project')?.value))));
          if (waiting.length === 20) for (const finish of waiting.reverse()) finish();
        }),
    });
    await withHost(makeGateway(service), async (host) => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          call(host.port, `/api/endpoints/query/logs.all?project=p${index}`, {
            headers: { ...auth, 'x-request-id': `id${index}` },
          }),
        ),
      );
      for (const [index, answer] of answers.entries()) {
        expect(answer.text).toBe(`{"result":["p${index}"]}`);
        expect(answer.headers['x-request-id']).toBe(`id${index}`);
      }
    });
  });
});

test('a log that fails ends the connection and not the process', async () => {
  const failures: string[] = [];
  const request = () => {
    failures.push('disk full');
    throw new Error('disk full');
  };
  const handler = makeGateway({ ...makeTestService(), logger: { request, lateUsage: request } });
  await withHost(handler, async (host) => {
    for (const _ of [1, 2]) await call(host.port, '/healthz').catch(() => {});
  });
  expect(failures).toHaveLength(2);
});

describe('a handler that is made on first use', () => {
  const ok: HttpHandler = async (_req, res) => void res.end('made');

  test('is made once, also for requests that come at the same time', async () => {
    const made: number[] = [];
    const handler = lazyHandler(
      async () => {
        made.push(1);
        return ok;
      },
      () => {},
    );
    await withHost(handler, async (host) => {
      const answers = await Promise.all([1, 2, 3].map(() => call(host.port, '/')));
      expect(answers.map(({ text }) => text)).toEqual(['made', 'made', 'made']);
    });
    expect(made).toEqual([1]);
  });

  test('answers 503 and reports why when it cannot be made, then tries again', async () => {
    const attempts: number[] = [];
    const reported: unknown[] = [];
    const handler = lazyHandler(
      async () => {
        attempts.push(1);
        if (attempts.length === 1) throw new Error('secret reason');
        return ok;
      },
      (error) => reported.push(error),
    );
    await withHost(handler, async (host) => {
      const failed = await call(host.port, '/');
      expect(failed.status).toBe(503);
      expect(failed.json()).toMatchObject({ error: { status: 'UNAVAILABLE' } });
      expect(failed.text).not.toContain('secret');
      expect((await call(host.port, '/')).text).toBe('made');
    });
    expect(reported).toEqual([new Error('secret reason')]);
  });
});

async function withHost<T>(handler: HttpHandler, use: (host: Host) => Promise<T>): Promise<T> {
  const host = await serve(handler);
  try {
    return await use(host);
  } finally {
    await host.close();
  }
}
