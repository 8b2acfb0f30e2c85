import { ISO_TIMESTAMP_ACCEPTED, parseIsoTimestamp } from '../../shared/time/iso-timestamp.ts';
import { MICROS_PER_MS } from '../../shared/time/units.ts';
import { UsageError } from '../arguments/usage-error.ts';

const UNIT_MS = { d: 86_400_000, h: 3_600_000 };
const SPAN = /^([1-9][0-9]{0,4})([dh])$/;

/**
 * When a token expires, in milliseconds since the epoch: after `30d` or `12h` from `nowMs`, or at an ISO 8601 time.
 * Throws a UsageError for another text and for a time that is over.
 */
export function parseExpiry(text: string, nowMs: number): number {
  const span = SPAN.exec(text);
  if (span !== null) return nowMs + Number(span[1]) * UNIT_MS[span[2] === 'd' ? 'd' : 'h'];
  const parsed = parseIsoTimestamp(text);
  if ('problem' in parsed) {
    throw new UsageError(`--expires takes a span such as 30d or 12h, or ${ISO_TIMESTAMP_ACCEPTED}.`);
  }
  const expiresAtMs = Number(parsed.micros / MICROS_PER_MS);
  if (expiresAtMs <= nowMs) throw new UsageError('--expires is in the past; give a time to come.');
  return expiresAtMs;
}
