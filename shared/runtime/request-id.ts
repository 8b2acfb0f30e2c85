import type { IncomingHttpHeaders } from 'node:http';

/** Where a request belongs among the calls that led to it. */
export interface RequestTrace {
  /** 32 hexadecimal digits in lower case. */
  readonly traceId: string;
  /** The caller's span, 16 hexadecimal digits; null where the header has none. */
  readonly spanId: string | null;
  readonly isSampled: boolean;
}

/** `TRACE_ID[/SPAN_ID][;o=OPTIONS]` with a decimal span (https://cloud.google.com/trace/docs/trace-context). */
const CLOUD_TRACE = /^([0-9a-f]{32})(?:\/(\d{1,20}))?(?:;o=([0-3]))?$/i;
/** `version-trace-parent-flags` (W3C Trace Context, section 3.2); later versions may append fields. */
const TRACE_PARENT = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.{0,200})?$/;
const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;
const MAX_SPAN = 2n ** 64n - 1n;

/** The trace that a request's `X-Cloud-Trace-Context` or `traceparent` names; null where neither is valid. */
export function traceOf(headers: IncomingHttpHeaders): RequestTrace | null {
  return cloudTrace(single(headers['x-cloud-trace-context'])) ?? traceParent(single(headers.traceparent));
}

/** The caller's own `X-Request-Id` where it is a plain word, else the id of its trace, else a new one. */
export function requestIdOf(headers: IncomingHttpHeaders, newId: () => string): string {
  const own = single(headers['x-request-id']);
  return REQUEST_ID.test(own) ? own : (traceOf(headers)?.traceId ?? newId());
}

function cloudTrace(text: string): RequestTrace | null {
  const [, traceId, span, options] = CLOUD_TRACE.exec(text) ?? [];
  if (traceId === undefined || isZero(traceId)) return null;
  const spanNumber = BigInt(span ?? 0);
  const hasSpan = spanNumber > 0n && spanNumber <= MAX_SPAN;
  return {
    traceId: traceId.toLowerCase(),
    spanId: hasSpan ? spanNumber.toString(16).padStart(16, '0') : null,
    isSampled: (Number(options ?? 0) & 1) === 1,
  };
}

function traceParent(text: string): RequestTrace | null {
  const [, version, traceId, spanId, flags, rest] = TRACE_PARENT.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || isZero(traceId) || isZero(spanId)) return null;
  if (version === '00' && rest !== undefined) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags ?? '0', 16) & 1) === 1 };
}

function isZero(hex: string): boolean {
  return /^0+$/.test(hex);
}

/** A repeated header is ignored: which of its values is true cannot be known. */
function single(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : '';
}
