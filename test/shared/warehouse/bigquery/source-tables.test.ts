import { describe, expect, test } from '@jest/globals';
import { ConfigurationError } from '../../../../shared/errors/configuration-error.ts';
import {
  datasetsOf,
  insideNamesOf,
  locateSources,
  tableName,
} from '../../../../shared/warehouse/bigquery/source-tables.ts';

const SOURCES = ['edge_logs', 'auth_logs', 'storage_logs'];

function locate(dataset: string | null, logTables: Readonly<Record<string, string | null>>) {
  return locateSources({
    sources: SOURCES,
    project: 'acme-jobs',
    dataset,
    logTables: new Map(Object.entries(logTables)),
  });
}

/** The whole names of the sources' tables, in their order. */
const namesOf = (...where: Parameters<typeof locate>) =>
  [...locate(...where).values()].map((place) => place && tableName(place));

describe('a source', () => {
  test.each<[string, string | null, Readonly<Record<string, string | null>>, readonly (string | null)[]]>([
    [
      'lies in the dataset under its own name',
      'logs',
      {},
      ['acme-jobs.logs.edge_logs', 'acme-jobs.logs.auth_logs', 'acme-jobs.logs.storage_logs'],
    ],
    [
      'lies where its table is named, in the same project or another, or is absent',
      'acme-data.logs',
      { edge_logs: 'acme-lake.raw.cloudflare', auth_logs: null },
      ['acme-lake.raw.cloudflare', null, 'acme-data.logs.storage_logs'],
    ],
    [
      'needs no dataset where all are named',
      null,
      { edge_logs: 'raw.e', auth_logs: 'example.com:acme-x.raw.a', storage_logs: null },
      ['acme-jobs.raw.e', 'example.com:acme-x.raw.a', null],
    ],
  ])('%s', (_, dataset, logTables, expected) => {
    expect(namesOf(dataset, logTables)).toEqual(expected);
  });

  test('that is missing, or has no place, is a fault of the settings', () => {
    const place = () => locate(null, { edge_logs: 'raw.e', egde_logs: null });
    expect(place).toThrow(ConfigurationError);
    expect(place).toThrow(
      [
        'LQE_LOG_TABLES names "egde_logs", which is no source; the sources are edge_logs, auth_logs, storage_logs',
        'LQE_LOG_TABLES has no table for auth_logs, storage_logs; name their tables there (null for a source that is absent), or set LQE_BIGQUERY_DATASET',
      ].join('\n'),
    );
  });
});

test('every project and dataset is a name of the inside, once', () => {
  const tables = locate('logs', { edge_logs: 'acme-lake.raw.cloudflare', auth_logs: null });
  expect(insideNamesOf('acme-jobs', tables)).toEqual(['acme-jobs', 'acme-lake', 'raw', 'logs']);
  expect([...datasetsOf(tables).keys()]).toEqual(['acme-lake.raw', 'acme-jobs.logs']);
});
