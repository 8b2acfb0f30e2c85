import { UsageError } from './usage-error.ts';

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** What `parseSpan` reads, in words that follow "takes". */
const ACCEPTED = 'a time span such as 90s, 15m, 24h or 7d';

/** The span that an option was given, in milliseconds. Throws a UsageError that names the option. */
export function parseSpan(flag: string, text: string): number {
  const [, digits = '', unit = ''] = /^([0-9]{1,6})([smhd])$/.exec(text) ?? [];
  const ms = Number(digits) * (UNIT_MS[unit as keyof typeof UNIT_MS] ?? 0);
  if (ms <= 0) throw new UsageError(`${flag} takes ${ACCEPTED}.`);
  return ms;
}
