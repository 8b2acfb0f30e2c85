import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { requestIdOf, traceOf } from '../../../shared/runtime/request-id.ts';

const TRACE = '105445aa7843bc8bf206b12000100000';

describe('a trace', () => {
  test.each<[string, Record<string, string>, ReturnType<typeof traceOf>]>([
    ['a trace alone', { 'x-cloud-trace-context': TRACE }, { traceId: TRACE, spanId: null, isSampled: false }],
    [
      'a span in decimal',
      { 'x-cloud-trace-context': `${TRACE}/18446744073709551615;o=1` },
      { traceId: TRACE, spanId: 'ffffffffffffffff', isSampled: true },
    ],
    [
      'a small span',
      { 'x-cloud-trace-context': `${TRACE}/1;o=0` },
      { traceId: TRACE, spanId: '0000000000000001', isSampled: false },
    ],
    [
      'upper case',
      { 'x-cloud-trace-context': TRACE.toUpperCase() },
      { traceId: TRACE, spanId: null, isSampled: false },
    ],
    [
      'span 0, which is none',
      { 'x-cloud-trace-context': `${TRACE}/0` },
      { traceId: TRACE, spanId: null, isSampled: false },
    ],
    [
      'a traceparent',
      { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` },
      { traceId: TRACE, spanId: '00f067aa0ba902b7', isSampled: true },
    ],
    [
      'an unsampled traceparent',
      { traceparent: `00-${TRACE}-00f067aa0ba902b7-02` },
      { traceId: TRACE, spanId: '00f067aa0ba902b7', isSampled: false },
    ],
    [
      'a later version with more fields',
      { traceparent: `01-${TRACE}-00f067aa0ba902b7-01-more` },
      { traceId: TRACE, spanId: '00f067aa0ba902b7', isSampled: true },
    ],
    [
      "the platform's header first",
      { 'x-cloud-trace-context': TRACE, traceparent: `00-${'a'.repeat(32)}-00f067aa0ba902b7-01` },
      { traceId: TRACE, spanId: null, isSampled: false },
    ],
    [
      'the other where the first is not valid',
      { 'x-cloud-trace-context': 'x', traceparent: `00-${TRACE}-00f067aa0ba902b7-00` },
      { traceId: TRACE, spanId: '00f067aa0ba902b7', isSampled: false },
    ],
  ])('is read from %s', (_, headers, trace) => {
    expect(traceOf(headers)).toEqual(trace);
  });

  test.each<[string, Record<string, string | string[]>]>([
    ['no header', {}],
    ['an empty header', { 'x-cloud-trace-context': '', traceparent: '' }],
    ['a zero trace', { 'x-cloud-trace-context': '0'.repeat(32) }],
    ['a short trace', { 'x-cloud-trace-context': 'abc/1' }],
    ['a word for a span', { 'x-cloud-trace-context': `${TRACE}/x` }],
    ['text after it', { 'x-cloud-trace-context': `${TRACE}/1;o=1\nseverity` }],
    ['version ff', { traceparent: `ff-${TRACE}-00f067aa0ba902b7-01` }],
    ['version 00 with more fields', { traceparent: `00-${TRACE}-00f067aa0ba902b7-01-x` }],
    ['a zero span', { traceparent: `00-${TRACE}-0000000000000000-01` }],
    ['an upper-case traceparent', { traceparent: `00-${TRACE.toUpperCase()}-00F067AA0BA902B7-01` }],
    ['a repeated header', { traceparent: [`00-${TRACE}-00f067aa0ba902b7-01`] }],
  ])('is not read from %s', (_, headers) => {
    expect(traceOf(headers)).toBeNull();
  });

  test('is 32 hexadecimal digits whatever the headers hold', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (cloud, parent) => {
        const trace = traceOf({ 'x-cloud-trace-context': cloud, traceparent: parent });
        expect(trace?.traceId ?? TRACE).toMatch(/^[0-9a-f]{32}$/);
      }),
    );
  });
});

describe('the id of a request', () => {
  const newId = () => 'new';
  test.each<[string, Record<string, string>, string]>([
    ["the caller's own", { 'x-request-id': 'Abc-1.2_3', 'x-cloud-trace-context': TRACE }, 'Abc-1.2_3'],
    ['its trace', { 'x-cloud-trace-context': TRACE }, TRACE],
    ['a new one', {}, 'new'],
    ['a new one where its own has a space', { 'x-request-id': 'a b' }, 'new'],
    ['a new one where its own has a line break', { 'x-request-id': 'a\n' }, 'new'],
    ['a new one where its own is too long', { 'x-request-id': 'a'.repeat(129) }, 'new'],
    ['a new one where its own is empty', { 'x-request-id': '' }, 'new'],
  ])('is %s', (_, headers, id) => {
    expect(requestIdOf(headers, newId)).toBe(id);
  });
});
