import { describe, expect, test } from '@jest/globals';
import { DEMO_PROJECTS, DEMO_SOURCES } from '../../../shared/demo-logs/demo-entries.ts';
import { type Entry, readEntries, recordsAt } from './read-entries.ts';

const NOWS = ['2026-03-05T14:37:12.345678Z', '2026-07-01T03:24:00.000000Z'] as const;

type Shown = Readonly<Record<string, unknown>>;

/** What a message shows, by the path of the fields that have the same; null for a message that shows nothing of the record. */
type Reader = (message: string, entry: Entry) => Shown | null;

const parts = (message: string, ...paths: readonly (string | null)[]): Shown => {
  const values = message.split(' | ');
  return Object.fromEntries(paths.flatMap((path, index) => (path === null ? [] : [[path, values[index]]])));
};

const matched = (message: string, pattern: RegExp): Shown | null => pattern.exec(message)?.groups ?? null;

const SHOWN: Readonly<Record<string, Reader>> = {
  edge_logs: (message) => {
    const shown = parts(
      message,
      'request.method',
      'response.status_code',
      'request.headers.x_real_ip',
      'request.headers.cf_ray',
      'request.url',
      'request.headers.user_agent',
    );
    return {
      ...shown,
      'request.headers.cf_connecting_ip': shown['request.headers.x_real_ip'],
      'response.headers.cf_ray': shown['request.headers.cf_ray'],
    };
  },
  storage_logs: (message) =>
    parts(
      message,
      'project',
      'req.method',
      'res.statusCode',
      'req.remoteAddress',
      'reqId',
      'req.url',
      'req.headers.user_agent',
    ),
  function_edge_logs: (message) => parts(message, 'request.method', 'response.status_code', 'request.url'),
  function_logs: (message) =>
    message === 'shutdown'
      ? { event_type: 'Shutdown' }
      : message.startsWith('booted ')
        ? { event_type: 'Boot' }
        : message.includes('\n    at ')
          ? { event_type: 'UncaughtException', level: 'error' }
          : { event_type: 'Log' },
  auth_logs: (message) => leavesOf(JSON.parse(message)),
  postgres_logs: (message) => {
    const address = /host=(?<host>\S+) port=(?<port>\d+)/.exec(message)?.groups;
    return {
      ...(address === undefined ? {} : { 'parsed.connection_from': `${address.host}:${address.port}` }),
      ...renamed(matched(message, /user=(?<user_name>\S+) database=(?<database_name>\S+)/), 'parsed.'),
      ...renamed(matched(message, /application_name=(?<application_name>\S+)/), 'parsed.'),
      ...renamed(matched(message, /^process (?<process_id>\d+) /), 'parsed.'),
      ...renamed(matched(message, /failed for user "(?<user_name>\w+)"/), 'parsed.'),
    };
  },
  realtime_logs: (message) =>
    matched(message, /Replication slot realtime_(?<project>\S+) /) ??
    matched(message, /Stop tenant (?<project>\S+) /),
  pgbouncer_logs: () => null,
  postgrest_logs: () => null,
};

function renamed(shown: Shown | null, prefix: string): Shown {
  return Object.fromEntries(Object.entries(shown ?? {}).map(([name, value]) => [`${prefix}${name}`, value]));
}

/** The values in a JSON object by the names on the way there, joined by dots. */
function leavesOf(value: object, path = ''): Shown {
  return Object.assign(
    {},
    ...Object.entries(value).map(([name, inner]) =>
      typeof inner === 'object' && inner !== null
        ? leavesOf(inner, `${path}${name}.`)
        : { [`${path}${name}`]: inner },
    ),
  );
}

/** Every value that an entry has at a path; a record that is not there has none. */
function valuesAt(entry: Entry, path: string): readonly unknown[] {
  const names = path.split('.');
  const last = names.pop() ?? '';
  return recordsAt(entry, ...names)
    .map((record) => record[last])
    .filter((value) => value !== undefined);
}

/** A ray is shown without the data centre that the headers name after it. */
const comparable = (path: string, value: unknown) =>
  path.endsWith('cf_ray') ? String(value).split('-')[0] : String(value);

describe.each(NOWS)('the messages at %s', (now) => {
  test.each(DEMO_SOURCES)('of %s say what their records say', (source) => {
    const faults = readEntries(source, now).flatMap((entry) =>
      Object.entries(SHOWN[source]?.(entry.event_message, entry) ?? {}).flatMap(([path, shown]) =>
        valuesAt(entry, path)
          .filter((value) => comparable(path, value) !== comparable(path, shown))
          .map(
            (value) => `${entry.id} ${path}: ${String(value)} in the record, ${String(shown)} in the message`,
          ),
      ),
    );
    expect(faults).toEqual([]);
  });

  test.each(DEMO_SOURCES)('of %s name no other project', (source) => {
    const others = (entry: Entry) => DEMO_PROJECTS.filter((project) => project !== entry.project);
    const named = readEntries(source, now).filter((entry) =>
      others(entry).some((project) =>
        new RegExp(`\\b${project}[._-]|_${project}\\b`).test(entry.event_message),
      ),
    );
    expect(named.map(({ event_message: message }) => message)).toEqual([]);
  });

  test('of entries with an error status show that status', () => {
    const failed = readEntries('edge_logs', now).flatMap((entry) =>
      valuesAt(entry, 'response.status_code').flatMap((status) =>
        Number(status) >= 500 ? [`${String(status)} ${String(entry.event_message.split(' | ')[1])}`] : [],
      ),
    );
    expect(failed.length).toBeGreaterThan(20);
    expect(failed.filter((pair) => !/^(\d+) \1$/.test(pair))).toEqual([]);
  });
});

test('every source that has messages is compared', () => {
  expect(Object.keys(SHOWN).sort()).toEqual([...DEMO_SOURCES].sort());
  const compared = Object.entries(SHOWN).map(([source, reader]) => [
    source,
    readEntries(source, NOWS[0]).some((entry) =>
      Object.keys(reader(entry.event_message, entry) ?? {}).some((path) => valuesAt(entry, path).length > 0),
    ),
  ]);
  // These two log text alone: their records name the host they run on, which no message shows.
  const silent = compared.filter(([, isCompared]) => !isCompared).map(([source]) => source);
  expect(silent).toEqual(['pgbouncer_logs', 'postgrest_logs']);
});
