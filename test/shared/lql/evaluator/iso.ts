/** ISO time in UTC with six digits behind the second. */
export function isoOf(micros: bigint): string {
  const second = new Date(Number(micros / 1_000_000n) * 1000).toISOString().slice(0, 19);
  return `${second}.${String(micros % 1_000_000n).padStart(6, '0')}Z`;
}

/** Microseconds of such a text. */
export function microsOf(iso: string): bigint {
  const [, second = '', fraction = ''] = /^(.*)\.(\d{6})Z$/.exec(iso) ?? [];
  return BigInt(Date.parse(`${second}Z`)) * 1000n + BigInt(fraction);
}
