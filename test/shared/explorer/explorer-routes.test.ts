import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeGateway } from '../../../functions/gateway.ts';
import { installedAssets } from '../../../shared/explorer/asset-files.ts';
import { makeExplorerRoutes } from '../../../shared/explorer/explorer-routes.ts';
import type { SavedQuery } from '../../../shared/saved-queries/saved-query.ts';
import { HOSTS, type Host, serve } from '../http/support/hosts.ts';
import { type Answer, call } from '../http/support/http-client.ts';
import {
  EXPIRED_TOKEN,
  makeTestService,
  NARROW_TOKEN,
  NOW_MICROS,
  TOKEN,
} from '../http/support/test-service.ts';

const service = makeTestService();

/** Where the page says that a file is. */
const linkOf = (page: string, name: string) => {
  const [, path] = new RegExp(`"\\.(/assets/[^"]+/${name})"`).exec(page) ?? [];
  if (path === undefined) throw new Error(`the page does not name ${name}`);
  return path;
};

describe.each(HOSTS)('under %s', (_, start) => {
  const hosts: Host[] = [];
  beforeAll(async () => void hosts.push(await start(makeGateway(service))));
  afterAll(() => hosts[0]?.close());
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
    call(hosts[0]?.port ?? 0, path, { headers, method });

  test('the page comes without a token and with a policy that lets in its own files alone', async () => {
    const { status, headers, text } = await get('/');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    const policy = String(headers['content-security-policy']);
    const [, importMap = ''] = /<script type="importmap">(.*?)<\/script>/.exec(text) ?? [];
    const digest = createHash('sha256').update(importMap).digest('base64');
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        `script-src 'self' 'sha256-${digest}'`,
        "style-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ]),
    );
    expect(policy).not.toContain('unsafe');
    expect(headers['x-frame-options']).toBe('DENY');
  });

  test('everything that the page and its modules name is there', async () => {
    const { text } = await get('/');
    const importMap = JSON.parse(/<script type="importmap">(.*?)<\/script>/.exec(text)?.[1] ?? '')
      .imports as Record<string, string>;
    const links = [...text.matchAll(/(?:href|src)="(\.\/[^"#]+)"/g)].map(([, link = '']) => link.slice(1));
    expect(links.length).toBeGreaterThan(30);
    const known = new Set(links);
    for (const link of links) {
      const { status, text: source } = await get(link);
      expect([link, status]).toEqual([link, 200]);
      if (!link.endsWith('.js')) continue;
      for (const [, specifier = ''] of source.matchAll(
        /^(?:import|export)\b[^'"]*?from\s*['"]([^'"]+)['"]/gm,
      )) {
        const target = specifier.startsWith('.')
          ? new URL(specifier, `http://x${link}`).pathname
          : importMap[specifier]?.slice(1);
        expect([link, specifier, known.has(target ?? '')]).toEqual([link, specifier, true]);
      }
    }
  });

  test('browsers keep files without a limit, and request the page every time', async () => {
    const page = await get('/');
    expect(page.headers['cache-control']).toBe('no-cache');
    const path = linkOf(page.text, 'explorer/main\\.js');
    const file = await get(path);
    expect(file.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(file.headers['content-type']).toBe('text/javascript; charset=utf-8');
    for (const [where, etag] of [
      ['/', page.headers.etag],
      [path, file.headers.etag],
    ]) {
      const again = await get(String(where), { 'if-none-match': `"other", W/${etag}` });
      expect([again.status, again.text]).toEqual([304, '']);
      expect((await get(String(where), { 'if-none-match': '"other"' })).status).toBe(200);
    }
  });

  test.each(['br', 'gzip'])('are compressed with %s for clients that accept it', async (coding) => {
    const path = linkOf((await get('/')).text, 'npm/@codemirror/view\\.js');
    const plain = await get(path);
    const port = hosts[0]?.port ?? 0;
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { 'accept-encoding': coding },
    });
    expect(response.headers.get('content-encoding')).toBe(coding);
    expect(Number(response.headers.get('content-length'))).toBeLessThan(plain.text.length / 3);
    expect(await response.text()).toBe(plain.text);
    expect(response.headers.get('etag')).not.toBe(plain.headers.etag);
  });

  test.each([
    '/assets/',
    '/assets/x/explorer/main.js',
    '/assets/../package.json',
    '/assets/%2e%2e/package.json',
    '/assets/..%2fpackage.json',
    '/assets/V/../../package.json',
    '/assets/V/explorer/../../package.json',
    '/assets/V/explorer/%2e%2e/%2e%2e/package.json',
    '/assets/V/explorer/tsconfig.json',
    '/assets/V/explorer/index.html',
    '/assets/V/client/endpoints.d.ts',
    '/assets/V/npm/duckdb.js',
    '/assets/V/explorer/main.js%00',
    '/assets/V/EXPLORER/MAIN.JS',
    '//assets/V/explorer/main.js',
    '/index.html',
    '/explorer/',
    '/explorer/main.js',
  ])('nothing else can be had: %s', async (path) => {
    const version = /assets\/([^/]+)\//.exec((await get('/')).text)?.[1] ?? '';
    expect((await get(path.replace('V', version))).status).toBe(404);
  });

  test('other methods are refused, HEAD is answered without a body', async () => {
    const head = await get('/', {}, 'HEAD');
    expect([head.status, head.text, Number(head.headers['content-length']) > 0]).toEqual([200, '', true]);
    expect((await get('/', {}, 'POST')).status).toBe(405);
  });
});

describe('the text of a query is changed', () => {
  const hosts: Host[] = [];
  beforeAll(async () => void hosts.push(await serve(makeGateway(service))));
  afterAll(() => hosts[0]?.close());
  const edit = async (body: unknown, token = TOKEN) => {
    const answer = await call(hosts[0]?.port ?? 0, '/explorer/edit', {
      method: 'POST',
      headers: { 'x-api-key': token, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { ...answer, value: answer.json() as Record<string, unknown> };
  };
  const FILTER = {
    action: 'filter',
    of: 'result',
    path: ['id'],
    value: "it's",
    negated: false,
    type: 'STRING',
  };
  const ASKED = { endpoint: 'logs.all', language: 'sql', query: 'select id from edge_logs' };

  test.each([
    ['for a value', { ...ASKED, ...FILTER }, "select id from edge_logs where id = 'it\\'s'"],
    [
      'where none is written',
      { ...ASKED, ...FILTER, query: ' ', source: 'edge_logs' },
      "SELECT id\nFROM edge_logs\nWHERE id = 'it\\'s'\nLIMIT 100",
    ],
    ['for its layout', { ...ASKED, action: 'format' }, 'SELECT id\nFROM edge_logs'],
  ])('%s', async (_, body, query) => {
    expect(await edit(body)).toMatchObject({ status: 200, value: { language: 'sql', query } });
  });

  test.each([
    ['a text that does not parse', { ...ASKED, ...FILTER, query: 'select' }, 400],
    ['no JSON', 'x', 400],
    ['another action', { ...ASKED, action: 'run' }, 400],
    ['something else in the body', { ...ASKED, action: 'format', x: 1 }, 400],
    ['GoogleSQL that should become such', { ...ASKED, action: 'to_sql' }, 400],
    ['an endpoint that there is not', { ...ASKED, action: 'format', endpoint: 'logs.gone' }, 404],
  ])('but not for %s', async (_, body, status) => {
    expect((await edit(body)).status).toBe(status);
  });

  test('by holders of a token alone', async () => {
    expect((await edit({ ...ASKED, action: 'format' }, 'wrong')).status).toBe(401);
  });
});

describe('saved queries', () => {
  const saved = (name: string, endpoint: string): SavedQuery => ({
    name,
    endpoint,
    language: 'sql',
    query: 'select 1',
    description: '',
    window: null,
  });
  const queries = [saved('one', 'logs.all'), saved('two', 'usage.api-counts')];
  const hosts: Host[] = [];
  beforeAll(async () => {
    hosts.push(await serve(makeGateway({ ...service, savedQueries: { list: async () => queries } })));
    hosts.push(await serve(makeGateway(service)));
  });
  afterAll(() => Promise.all(hosts.map(({ close }) => close())));

  test.each([
    ['all of them', TOKEN, 0, queries],
    ['those of the endpoints that a token is limited to', NARROW_TOKEN, 0, queries.slice(0, 1)],
    ['none where the service has no folder', TOKEN, 1, []],
  ])('are %s', async (_, token, host, expected) => {
    const answer = await call(hosts[host]?.port ?? 0, '/explorer/saved.json', {
      headers: { 'x-api-key': token },
    });
    expect([answer.status, answer.json()]).toEqual([200, { queries: expected }]);
  });

  test.each(['', 'wrong', EXPIRED_TOKEN])('are for no other token: %p', async (token) => {
    const headers = token === '' ? {} : { 'x-api-key': token };
    const answer = await call(hosts[0]?.port ?? 0, '/explorer/saved.json', { headers });
    expect(answer.status).toBe(401);
  });

  test('are not there without the explorer', async () => {
    const host = await serve(makeGateway({ ...service, explorer: null }));
    const answer = await call(host.port, '/explorer/saved.json', { headers: { 'x-api-key': TOKEN } });
    expect(answer.status).toBe(404);
    await host.close();
  });
});

describe('the catalogue', () => {
  const hosts: Host[] = [];
  beforeAll(async () => void hosts.push(await serve(makeGateway(service))));
  afterAll(() => hosts[0]?.close());
  const catalogue = async (token: string | null) => {
    const headers: Record<string, string> = token === null ? {} : { 'x-api-key': token };
    const answer = await call(hosts[0]?.port ?? 0, '/explorer/catalogue.json', { headers });
    return { ...answer, value: answer.json() as Record<string, unknown> };
  };

  test.each([null, 'wrong', EXPIRED_TOKEN])('is for holders of a token: %s', async (token) => {
    const { status, text } = await catalogue(token);
    expect(status).toBe(401);
    expect(text).not.toContain('edge_logs');
  });

  test('lists endpoints, their parameters and sources, the functions and the present time', async () => {
    const { status, value, headers } = await catalogue(TOKEN);
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(value).toMatchObject({ projects: null, nowMicros: Number(NOW_MICROS) });
    const [logs] = value.endpoints as Record<string, unknown>[];
    expect(logs).toMatchObject({ name: 'logs.all', sandbox: true });
    expect(logs?.sources).toEqual([
      {
        name: 'edge_logs',
        columns: [{ name: 'id', type: 'STRING', mode: 'NULLABLE' }],
        severity: [],
      },
    ]);
    expect(logs).not.toHaveProperty('sql');
    expect(value.functions).toContainEqual(expect.objectContaining({ name: 'COUNTIF', kind: 'aggregate' }));
  });

  test('shows a limited token only what it may use', async () => {
    const { value } = await catalogue(NARROW_TOKEN);
    expect(value.projects).toEqual(['demo']);
    expect((value.endpoints as { name: string }[]).map(({ name }) => name)).toEqual(['logs.all']);
  });
});

describe.each(HOSTS)('where the explorer is off, under %s', (_, start) => {
  const hosts: Host[] = [];
  beforeAll(async () => void hosts.push(await start(makeGateway({ ...service, explorer: null }))));
  afterAll(() => hosts[0]?.close());
  const paths = ['/', '/assets/', '/assets/V/explorer/main.js', '/explorer/catalogue.json'];

  test.each(paths.flatMap((path) => ['GET', 'POST'].map((method) => [method, path])))(
    '%s %s is an address with nothing at it, with a token and without one',
    async (method, path) => {
      for (const headers of [{}, { 'x-api-key': TOKEN }]) {
        const answer = await call(hosts[0]?.port ?? 0, path, { method, headers });
        expect(answer.status).toBe(404);
        expect(answer.json()).toEqual({
          error: expect.objectContaining({
            code: 404,
            status: 'NOT_FOUND',
            message: expect.stringContaining('There is nothing at this address'),
          }),
        });
      }
      const head = await call(hosts[0]?.port ?? 0, path, { method: 'HEAD' });
      expect([head.status, head.text]).toEqual([404, '']);
    },
  );

  test('the rest is served', async () => {
    expect((await call(hosts[0]?.port ?? 0, '/healthz')).status).toBe(200);
  });
});

test('a deployment without the files answers that they are missing, and serves the rest', async () => {
  const explorer = makeExplorerRoutes(service, installedAssets('/nowhere'));
  const handler = explorer('/');
  if (handler === undefined) throw new Error('the page has no handler');
  const host = await serve(handler);
  const { status, text } = await call(host.port, '/');
  await host.close();
  expect(status).toBe(404);
  expect(text).toContain('not part of this deployment');
  expect(text).not.toContain('/nowhere');
  expect(explorer('/healthz')).toBeUndefined();
});
