import { LIMIT_RANGES, type TokenLimits } from '../../shared/access/token-limits.ts';
import { UsageError } from '../arguments/usage-error.ts';

const BYTE_UNITS = { '': 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3, TiB: 1024 ** 4 } as const;
const SECOND_UNITS = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

/** The limits as they are given on the command line. */
export interface LimitTexts {
  readonly maxRows: string | undefined;
  readonly maxBytes: string | undefined;
  readonly maxWindow: string | undefined;
  readonly requestsPerMinute: string | undefined;
  readonly sqlDeadline: string | undefined;
  readonly cpuPerMinute: string | undefined;
}

/** The limits that the options say; null for those that were not given. Throws a UsageError that names the option. */
export function parseLimits(texts: LimitTexts): TokenLimits {
  return {
    maxRows: parse('--max-rows', 'maxRows', texts.maxRows, { '': 1 }, 'a whole number'),
    maxBytesBilled: parse(
      '--max-bytes',
      'maxBytesBilled',
      texts.maxBytes,
      BYTE_UNITS,
      'a number of bytes such as 500MiB, 2GiB or 1073741824',
    ),
    maxWindowSeconds: parse(
      '--max-window',
      'maxWindowSeconds',
      texts.maxWindow,
      SECOND_UNITS,
      'a time span such as 90s, 30m, 24h or 7d',
    ),
    requestsPerMinute: parse(
      '--requests-per-minute',
      'requestsPerMinute',
      texts.requestsPerMinute,
      { '': 1 },
      'a whole number',
    ),
    sqlDeadlineSeconds: parse(
      '--sql-deadline',
      'sqlDeadlineSeconds',
      texts.sqlDeadline,
      SECOND_UNITS,
      'a time span such as 5s or 1m',
    ),
    cpuSecondsPerMinute: parse(
      '--cpu-per-minute',
      'cpuSecondsPerMinute',
      texts.cpuPerMinute,
      { '': 1, s: 1 },
      'a number of seconds such as 30 or 120s',
    ),
  };
}

/** A whole number and a unit directly after it, in the limit's own unit. */
function parse(
  option: string,
  limit: keyof TokenLimits,
  text: string | undefined,
  units: Readonly<Record<string, number>>,
  accepted: string,
): number | null {
  if (text === undefined) return null;
  const [, digits = '', unit = ''] = /^([0-9]{1,15})([A-Za-z]*)$/.exec(text) ?? [];
  const factor = digits !== '' && Object.hasOwn(units, unit) ? units[unit] : undefined;
  if (factor === undefined) throw new UsageError(`${option} takes ${accepted}.`);
  const value = Number(digits) * factor;
  const [smallest, largest] = LIMIT_RANGES[limit];
  if (value >= smallest && value <= largest) return value;
  const inWords = 's' in units ? ' seconds' : units === BYTE_UNITS ? ' bytes' : '';
  throw new UsageError(`${option} takes ${accepted}, from ${smallest} to ${largest}${inWords}.`);
}
