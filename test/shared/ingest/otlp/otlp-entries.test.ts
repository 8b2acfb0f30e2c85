import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ENTRY_LIMITS, readEntries } from '../../../../shared/ingest/read-entries.ts';

const text = (stringValue: string) => ({ stringValue });
const pair = (key: string, value: object) => ({ key, value });

/** A request with one record. */
const request = (record: object, resource: object = {}, scope: object = {}) => ({
  resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords: [record] }] }],
});

const entriesOf = (body: unknown) =>
  readEntries(typeof body === 'string' ? body : JSON.stringify(body)).map(
    (entry) => JSON.parse(entry) as unknown,
  );

describe('log records of OTLP', () => {
  test('are entries with what is said of their resource, their scope and themselves', () => {
    const resource = { attributes: [pair('service.name', text('api')), pair('project', text('demo'))] };
    const record = {
      timeUnixNano: '1790000000123456789',
      observedTimeUnixNano: '1790000001000000000',
      severityNumber: 17,
      severityText: 'error',
      body: text('boom'),
      attributes: [pair('http.status', { intValue: '500' }), pair('log.record.uid', text('01J'))],
      traceId: '5b8efff798038103d269b633813fc60c',
      spanId: 'eee19b7ec3c1b174',
      eventName: 'crash',
      flags: 1,
    };
    expect(entriesOf(request(record, resource, { name: 'winston' }))).toEqual([
      {
        id: '01J',
        timestamp: '2026-09-21T14:13:20.123456Z',
        event_message: 'boom',
        metadata: {
          level: 'error',
          severity_number: 17,
          trace_id: '5b8efff798038103d269b633813fc60c',
          span_id: 'eee19b7ec3c1b174',
          scope: 'winston',
          event_name: 'crash',
        },
        service_name: 'api',
        project: 'demo',
        http_status: 500,
      },
    ]);
  });

  test.each([
    ['nothing', {}, {}],
    ['empty texts and unknown times', { timeUnixNano: '0', severityText: '', traceId: '', body: {} }, {}],
    [
      'the time at which it was seen',
      { observedTimeUnixNano: 1_000 },
      { timestamp: '1970-01-01T00:00:00.000001Z' },
    ],
    [
      'a severity without a text',
      { severityNumber: 24 },
      { metadata: { level: 'FATAL', severity_number: 24 } },
    ],
    ['a body that is no text', { body: { intValue: 7 } }, { event_message: '7' }],
    [
      'a body that is a map',
      {
        body: {
          kvlistValue: {
            values: [pair('a', { boolValue: true }), pair('b', { arrayValue: { values: [{}] } })],
          },
        },
      },
      { event_message: '{"a":true,"b":[null]}' },
    ],
    [
      'values of every kind',
      {
        attributes: [
          pair('int', { intValue: '9223372036854775807' }),
          pair('double', { doubleValue: 0.5 }),
          pair('nan', { doubleValue: 'NaN' }),
          pair('bool', { boolValue: false }),
          pair('bytes', { bytesValue: 'aGk=' }),
          pair('list', { arrayValue: { values: [text('a'), { intValue: 1 }] } }),
          pair('empty', { arrayValue: {} }),
          pair('none', {}),
        ],
      },
      {
        int: 9223372036854775807n,
        double: 0.5,
        nan: 'NaN',
        bool: false,
        bytes: 'aGk=',
        list: '["a",1]',
        empty: '[]',
      },
    ],
    [
      'attributes with the names of an entry’s own fields',
      {
        attributes: [pair('message', text('m')), pair('ID', text('i')), pair('Level', text('debug'))],
        severityNumber: 9,
      },
      { metadata: { Level: 'debug', severity_number: 9, message: 'm', ID: 'i' } },
    ],
    [
      'names that no column can have',
      { attributes: [pair('a.b/c', text('x')), pair('', text('y'))] },
      { a_b_c: 'x', _: 'y' },
    ],
  ])('may have %s', (_, record, expected) => {
    const [entry = ''] = readEntries(JSON.stringify(request(record)));
    const exact = (_key: string, value: unknown, { source }: { source?: string } = {}) =>
      source === '9223372036854775807' ? BigInt(source) : value;
    expect(JSON.parse(entry, exact as (key: string, value: unknown) => unknown)).toEqual(expected);
  });

  test('override what is said of their resource', () => {
    const resource = { attributes: [pair('Region', text('eu')), pair('zone', text('a'))] };
    expect(entriesOf(request({ attributes: [pair('region', text('us'))] }, resource))).toEqual([
      { region: 'us', zone: 'a' },
    ]);
  });

  test('may come in lines, as the file exporter of the Collector writes them', () => {
    const lines = ['a', 'b'].map((body) => JSON.stringify(request({ body: text(body) })));
    expect(entriesOf(lines.join('\n'))).toEqual([{ event_message: 'a' }, { event_message: 'b' }]);
    expect(entriesOf(`[${lines.join(',')},{"message":"c"}]`)).toHaveLength(3);
  });

  test('may be none', () => {
    expect(entriesOf({ resourceLogs: [] })).toEqual([]);
    expect(entriesOf({ resourceLogs: [{}, { scopeLogs: [{}] }] })).toEqual([]);
  });

  test.each([
    [{ resourceLogs: {} }, 'resourceLogs is not an array'],
    [{ resourceLogs: [1] }, 'resourceLogs[0] is not an object'],
    [
      { resourceLogs: [{ scopeLogs: [{}, { logRecords: 'x' }] }] },
      'resourceLogs[0].scopeLogs[1].logRecords is not an array',
    ],
    [{ resourceLogs: [{ resource: [] }] }, 'resourceLogs[0].resource is not an object'],
    [request({}, { attributes: [pair('a', { intValue: 'x' })] }), 'a is not a whole number'],
  ])('refuses %j by the place that is wrong', (body, reason) => {
    expect(() => entriesOf(body)).toThrow(
      expect.objectContaining({ kind: 'invalid_argument', message: expect.stringContaining(reason) }),
    );
  });

  test.each([
    [{ timeUnixNano: 'noon' }, 'timeUnixNano is not a whole number of nanoseconds'],
    [{ body: 'text' }, 'body is not an object'],
    [{ severityNumber: 'high' }, 'severityNumber is not a whole number'],
    [{ traceId: 1 }, 'traceId is not text'],
    [{ attributes: [pair('a', { doubleValue: 'many' })] }, 'attributes, a is not a number'],
    [{ attributes: { a: 1 } }, 'attributes is not an array'],
  ])('refuses the record %j by its index', (record, reason) => {
    const { resourceLogs } = request({ body: text('good') });
    expect(() => entriesOf({ resourceLogs: [...resourceLogs, ...request(record).resourceLogs] })).toThrow(
      expect.objectContaining({ kind: 'invalid_argument', details: [{ entry: 1, reason }] }),
    );
  });

  test('are refused where there are too many, or their resource makes them too long', () => {
    const limits = { ...ENTRY_LIMITS, maxEntries: 3, maxTotalLength: 1_000 };
    const many = (count: number, attribute: string) => ({
      resourceLogs: [
        {
          resource: { attributes: [pair('a', text(attribute))] },
          scopeLogs: [{ logRecords: Array.from({ length: count }, () => ({})) }],
        },
      ],
    });
    expect(readEntries(JSON.stringify(many(3, 'x')), limits)).toHaveLength(3);
    const refusal = expect.objectContaining({ kind: 'body_too_large' });
    expect(() => readEntries(JSON.stringify(many(4, 'x')), limits)).toThrow(refusal);
    expect(() => readEntries(JSON.stringify(many(3, 'x'.repeat(500))), limits)).toThrow(refusal);
  });

  test('of any JSON are entries or refused, and nothing else', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (resource, record) => {
        const body = { resourceLogs: [{ resource, scopeLogs: [{ logRecords: [record] }] }] };
        try {
          for (const entry of readEntries(JSON.stringify(body))) JSON.parse(entry);
        } catch (error) {
          expect(error).toMatchObject({ kind: 'invalid_argument' });
        }
      }),
    );
  });
});
