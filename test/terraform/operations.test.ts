import { globSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
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
function loggedRequest(): { httpRequest: Record<string, unknown>; jsonPayload: Record<string, unknown> } {
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
    notes: { endpoint: 'logs.all', cache: 'MISS' },
    error: undefined,
  });
  const { httpRequest, ...jsonPayload } = JSON.parse(line);
  return { httpRequest, jsonPayload };
}

describe('the metrics over the log', () => {
  test('take their values from what the service writes of a request', () => {
    const logged = loggedRequest();
    for (const name of ['requests', 'latency']) {
      const metric = instances(resources, 'google_logging_metric', name).get('');
      const paths = [...JSON.stringify(metric).matchAll(/(jsonPayload|httpRequest)\.(\w+)/g)];
      expect(paths.length).toBeGreaterThan(2);
      for (const [, part, field] of paths)
        expect(Object.keys(logged[part as keyof typeof logged])).toContain(field);
    }
    expect(logged.httpRequest.latency).toBe('1.234s');
  });

  test('take the bytes billed from a note that the service makes', () => {
    const metric = instances(resources, 'google_logging_metric', 'bytes_billed').get('');
    expect(metric?.value_extractor).toBe('EXTRACT(jsonPayload.bytesBilled)');
    expect(code.some((text) => /\bnotes\.bytesBilled = /.test(text))).toBe(true);
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
      [...text.matchAll(/'(lqe_[a-z]+(?:_[a-z]+)*)'/g)].map(([, name]) => name),
    );
    const expiring = [...instances(resources, 'google_firestore_field', 'expiry').values()].map(
      ({ collection }) => collection,
    );
    expect(new Set([...expiring, 'lqe_tokens'])).toEqual(new Set(collections));
  });
});
