import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DEMO_PROJECTS, DEMO_SOURCES } from '../../../shared/demo-logs/demo-entries.ts';
import { type Entry, microsOf, readEntries, recordsAt } from './read-entries.ts';

const NOW = '2026-03-05T14:57:12.345678Z';
const AREAS = ['/rest', '/auth', '/storage', '/realtime'] as const;
const WINDOWS = [
  ['minutely', 3_600_000_000n],
  ['hourly', 3_600_000_000n],
  ['daily', 7n * 86_400_000_000n],
] as const;
const IPV4 = /\b(192\.0\.2|198\.51\.100|203\.0\.113)\.\d{1,3}\b/;
const IPV6 = /\b2001:db8:[0-9a-f:]+/;

const edge = readEntries('edge_logs', NOW);
const ofProject = (entries: readonly Entry[], project: string) =>
  entries.filter((entry) => entry.project === project);
const statusOf = (entry: Entry) => recordsAt(entry, 'response').at(-1)?.status_code;

describe('edge requests in the demo logs', () => {
  const cases = WINDOWS.flatMap((window) => DEMO_PROJECTS.map((project) => [...window, project] as const));

  test.each(cases)(
    'the %s window of %p µs counts all four areas for %s, at any instant',
    (_, micros, project) => {
      const seconds = fc.integer({ min: Date.UTC(1990, 0) / 1000, max: Date.UTC(2150, 0) / 1000 });
      fc.assert(
        fc.property(seconds, (second) => {
          const now = `${new Date(second * 1000).toISOString().slice(0, 19)}.000000Z`;
          const recent = readEntries('edge_logs', now).filter(
            (e) => microsOf(e.timestamp) > microsOf(now) - micros,
          );
          const requests = recent.flatMap((entry) => recordsAt(entry, 'request'));
          const own = requests.filter((request) => String(request.url).includes(project));
          const counts = AREAS.map(
            (area) => own.filter((request) => String(request.path).includes(area)).length,
          );
          expect(counts.filter((count) => count === 0)).toEqual([]);
        }),
        { numRuns: 2, examples: [[Date.UTC(2026, 0, 1) / 1000]] },
      );
    },
  );

  test('belong to one area, and their URL names their own project only', () => {
    for (const entry of edge) {
      for (const { url, path, search, host } of recordsAt(entry, 'request')) {
        expect(AREAS.filter((area) => String(path).includes(area))).toHaveLength(1);
        expect(DEMO_PROJECTS.filter((project) => String(url).includes(project))).toEqual([entry.project]);
        expect(url).toBe(`https://${String(host)}${String(path)}${String(search ?? '')}`);
      }
    }
  });

  test('are summed up in the message as method, status, address, ray, URL and user agent', () => {
    for (const entry of edge.filter(({ metadata }) => metadata.length > 0)) {
      const [request] = recordsAt(entry, 'request');
      const [headers] = recordsAt(entry, 'request', 'headers');
      const ray = String(headers?.cf_ray).split('-')[0];
      const parts = [
        request?.method,
        statusOf(entry),
        headers?.x_real_ip,
        ray,
        request?.url,
        headers?.user_agent,
      ];
      expect(entry.event_message).toBe(parts.join(' | '));
    }
  });

  test.each([200, 201, 204, 206, 304, 400, 401, 403, 404, 409, 429, 500, 502, 503, 504])(
    'answer %i at times',
    (status) => {
      expect(edge.some((entry) => statusOf(entry) === status)).toBe(true);
    },
  );

  test.each([
    ['IPv4', IPV4],
    ['IPv6', IPV6],
  ])('come from %s addresses of the documentation ranges, for both projects', (_, pattern) => {
    for (const project of DEMO_PROJECTS) {
      expect(ofProject(edge, project).some((entry) => pattern.test(entry.event_message))).toBe(true);
    }
    const others = edge
      .flatMap((entry) => recordsAt(entry, 'request', 'headers'))
      .filter(({ x_real_ip: ip }) => {
        return ip !== undefined && !IPV4.test(String(ip)) && !IPV6.test(String(ip));
      });
    expect(others).toEqual([]);
  });

  test.each<[string, (entry: Entry) => boolean]>([
    ['no metadata', (entry) => entry.metadata.length === 0],
    ['no cf record', (entry) => entry.metadata.length > 0 && recordsAt(entry, 'request', 'cf').length === 0],
    ['two header records', (entry) => recordsAt(entry, 'request', 'headers').length === 2],
    ['two answers', (entry) => recordsAt(entry, 'response').length === 2],
  ])('a few have %s', (_, isSo) => {
    const count = edge.filter(isSo).length;
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(edge.length / 20);
  });
});

describe('what the sources show together', () => {
  test.each([
    ['realtime_logs', 'project'],
    ['storage_logs', 'project'],
    ['function_edge_logs', 'project_ref'],
    ['function_logs', 'project_ref'],
  ])('%s names its project in metadata.%s', (source, field) => {
    const entries = readEntries(source, NOW);
    expect(entries.filter((entry) => entry.metadata[0]?.[field] !== entry.project)).toEqual([]);
  });

  test('lines that functions write carry the execution id of a logged call', () => {
    const executions = new Set(
      readEntries('function_edge_logs', NOW).map((entry) => entry.metadata[0]?.execution_id),
    );
    const recent = microsOf(NOW) - 60_000_000n;
    const lines = readEntries('function_logs', NOW).filter((entry) => microsOf(entry.timestamp) < recent);
    expect(lines.filter((entry) => !executions.has(entry.metadata[0]?.execution_id))).toEqual([]);
  });

  test.each(['storage_logs', 'auth_logs'])('%s come from addresses that the edge has seen', (source) => {
    const seen = new Set(edge.flatMap((entry) => entry.event_message.split(' | ')[2]));
    const addresses = readEntries(source, NOW).flatMap((entry) =>
      source === 'auth_logs'
        ? entry.metadata.map((record) => record.remote_addr)
        : recordsAt(entry, 'req').map((request) => request.remoteAddress),
    );
    expect(addresses.length).toBeGreaterThan(1000);
    expect(addresses.filter((address) => !seen.has(String(address)))).toEqual([]);
  });

  test.each(['LOG', 'WARNING', 'ERROR', 'FATAL'])('postgres_logs has messages of severity %s', (severity) => {
    const parsed = readEntries('postgres_logs', NOW).flatMap((entry) => recordsAt(entry, 'parsed'));
    expect(parsed.some((record) => record.error_severity === severity)).toBe(true);
  });

  test('no text keeps a placeholder', () => {
    const name =
      /\{(table|number|small|uuid|image|document|address|port|pid|other|xid|email|hex|n|ms|few|us|bytes)\}/;
    const texts = DEMO_SOURCES.flatMap((source) =>
      readEntries(source, NOW).map((entry) => JSON.stringify(entry)),
    );
    expect(texts.filter((text) => name.test(text))).toEqual([]);
  });
});

describe('the incident in project demo at minute 20 of every hour', () => {
  const isDuring = ({ timestamp }: Entry) =>
    timestamp >= '2026-03-05T14:20' && timestamp < '2026-03-05T14:23:10';

  test.each([
    ['edge_logs', /\| 50[34] \|.*\/rest\/v1\/orders/, 80],
    ['postgres_logs', /canceling statement due to statement timeout/, 80],
    ['postgres_logs', /acquired AccessExclusiveLock/, 0],
    ['pgbouncer_logs', /query_wait_timeout/, 5],
    ['postgrest_logs', /Timed out acquiring connection/, 2],
  ])('shows in %s as %p more than %i times, and not in project default', (source, message, times) => {
    const hits = readEntries(source, NOW).filter(
      (entry) => isDuring(entry) && message.test(entry.event_message),
    );
    expect(ofProject(hits, 'demo').length).toBeGreaterThan(times);
    expect(ofProject(hits, 'default').length).toBeLessThan(3);
  });
});
