import { globSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { RequestNotes } from '../../shared/http/http-deps.ts';
import { makeLogger } from '../../shared/runtime/log.ts';
import { instances } from './support/resources.ts';
import { applied, type Resource, terraformTest } from './support/terraform-test.ts';

let resources: readonly Resource[];
beforeAll(async () => {
  resources = (await terraformTest({ all: applied() })).get('all')?.resources ?? [];
});

/** All code of the service. */
const code = globSync('shared/**/*.ts').map((file) => readFileSync(file, 'utf8'));

/** What the service writes of a request, as Cloud Logging keeps it. */
function logged(notes: RequestNotes): { httpRequest: Record<string, unknown>; jsonPayload: object } {
  let line = '';
  const write = (text: string) => {
    line += text;
  };
  makeLogger({ format: 'json', level: 'info', nowMs: () => 0, write }).request({
    requestId: 'r1',
    method: 'GET',
    path: '/api/endpoints/query/logs.all',
    status: 200,
    responseBytes: 13,
    latencyMs: 1234,
    timing: '',
    headers: {},
    remoteAddress: undefined,
    protocol: 'HTTP/1.1',
    notes,
    error: undefined,
  });
  const { httpRequest, ...jsonPayload } = JSON.parse(line);
  return { httpRequest, jsonPayload };
}

/** The fields of a log entry that a metric looks at. */
function fieldsOf(name: string): string[] {
  const metric = JSON.stringify(instances(resources, 'google_logging_metric', name).get(''));
  return [...new Set([...metric.matchAll(/(?:jsonPayload|httpRequest)(?:\.\w+)+/g)].map(([path]) => path))];
}

describe('the metrics over the log', () => {
  test.each(['requests', 'latency'])(
    'take their values from what the service writes of a request (%s)',
    (name) => {
      const entry = logged({ endpoint: 'logs.all', cache: 'MISS' });
      expect(fieldsOf(name).length).toBeGreaterThan(1);
      for (const field of fieldsOf(name)) expect(entry).toHaveProperty(field);
      expect(entry.httpRequest.latency).toBe('1.234s');
    },
  );

  test('count the rounds of warming whose line says that sets failed', () => {
    expect(fieldsOf('warm_failures')).toEqual(['jsonPayload.warming.failed']);
    const entry = logged({
      endpoint: 'usage.api-counts',
      warming: { refreshed: 1, skipped: 0, failed: 2, left: 0 },
    });
    expect(entry).toHaveProperty('jsonPayload.warming.failed', 2);
  });

  test('leave rounds of warming out of what callers wait for', () => {
    for (const name of ['requests', 'latency']) {
      const { filter } = instances(resources, 'google_logging_metric', name).get('') ?? {};
      expect(filter).not.toContain('"warm"');
    }
  });

  test('take the bytes billed from a note that the service makes', () => {
    const metric = instances(resources, 'google_logging_metric', 'bytes_billed').get('');
    expect(metric?.value_extractor).toBe('EXTRACT(jsonPayload.bytesBilled)');
    expect(logged({ endpoint: 'logs.all', bytesBilled: 10_485_760 })).toHaveProperty(
      'jsonPayload.bytesBilled',
      10_485_760,
    );
  });

  test('take the bytes of queries that were counted after their answer, but count no request for them', () => {
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    makeLogger({ format: 'json', level: 'info', nowMs: () => 0, write }).lateUsage({
      requestId: 'r1',
      notes: { endpoint: 'logs.all', token: 'suite', bytesBilled: 10_485_760, bytesProcessed: 1000 },
    });
    const { httpRequest, ...jsonPayload } = JSON.parse(lines[0] ?? '');
    expect(httpRequest).toBeUndefined();
    for (const field of fieldsOf('bytes_billed')) expect({ jsonPayload }).toHaveProperty(field);
    const filterOf = (name: string) => instances(resources, 'google_logging_metric', name).get('')?.filter;
    expect(filterOf('bytes_billed')).not.toContain('httpRequest');
    for (const name of ['requests', 'latency']) expect(filterOf(name)).toContain('httpRequest.status>0');
  });

  test('are those that alerts and dashboard ask for', () => {
    const names = [...instances(resources, 'google_logging_metric').values()].map(({ name }) => name);
    const text = JSON.stringify(
      resources
        .filter(({ type }) => /^google_monitoring_(alert_policy|dashboard)$/.test(type))
        .map(({ values }) => values),
    );
    const asked = [...text.matchAll(/logging_googleapis_com:user_(\w+?)(?:_sum|_count|_bucket)?\{/g)].map(
      ([, name]) => name,
    );
    expect(new Set(asked)).toEqual(new Set(names));
  });
});

describe('the collections that expire', () => {
  test('are those of the code, but for access tokens', () => {
    const collections = code.flatMap((text) =>
      [...text.matchAll(/_COLLECTION = '(lqe_[a-z]+(?:_[a-z]+)*)'/g)].map(([, name]) => name),
    );
    const expiring = [...instances(resources, 'google_firestore_field', 'expiry').values()].map(
      ({ collection }) => collection,
    );
    expect(new Set([...expiring, 'lqe_tokens'])).toEqual(new Set(collections));
  });
});
