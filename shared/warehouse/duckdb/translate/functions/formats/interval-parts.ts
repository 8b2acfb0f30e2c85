import { parseIntervalText } from '../../../../../sql/values/interval-text.ts';

/** Longest text that can be an INTERVAL: seven numbers of 18 digits, with signs and letters. */
const MAX_LENGTH = 200;

/** The months, days and microseconds of text that CAST reads as an INTERVAL, with blanks between; null for all other text. */
export function intervalParts(text: string): string | null {
  const parts = text.length > MAX_LENGTH ? null : parseIntervalText(text);
  return parts === null ? null : `${parts.months} ${parts.days} ${parts.micros}`;
}
