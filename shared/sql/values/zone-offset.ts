/** Furthest that a zone's clocks are from UTC, in minutes. */
export const MAX_OFFSET_MINUTES = 14 * 60;

const OFFSET = /^(?:UTC)?([+-])(\d{1,2})(?::?(\d{1,2}))?$/;

/** The minutes that clocks of a zone such as `+09:00`, `-530` or `UTC+5` are ahead of UTC; null for other texts. */
export function offsetMinutes(text: string): number | null {
  const [, sign, hours, minutes = '0'] = OFFSET.exec(text) ?? [];
  if (hours === undefined || Number(minutes) > 59) return null;
  const total = Number(hours) * 60 + Number(minutes);
  if (total > MAX_OFFSET_MINUTES) return null;
  return sign === '-' ? -total : total;
}
