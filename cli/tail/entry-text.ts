import { escapeUnprintable } from '../../shared/runtime/printable.ts';
import { formatMicros } from '../../shared/time/iso-timestamp.ts';
import type { Colours } from '../terminal/colour.ts';
import type { Entry } from './entry.ts';

/** An entry as a line for people: when, and its message. */
export function entryText({ micros, row }: Entry, { dim }: Colours): string {
  const { event_message: message } = row;
  const text = typeof message === 'string' ? message : JSON.stringify(message ?? null);
  return `${dim(formatMicros(BigInt(micros)))}  ${escapeUnprintable(text)}\n`;
}
