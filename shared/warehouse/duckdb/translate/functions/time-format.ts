import type { SqlType } from '../../../../sql/types/sql-type.ts';
import { duck, EMPTY, joined, type Sql, textLiteral } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import { textSql } from './fragments.ts';

/** A date or time to be shown: what the clock shows, and for a TIMESTAMP also when that is. */
export interface ShownTime {
  readonly shown: Sql;
  readonly instant: Sql | null;
  readonly type: SqlType;
}

/** Elements that DuckDB's strftime has with the same meaning, as its formats. */
const STRFTIME: Readonly<Record<string, string>> = {
  a: '%a',
  A: '%A',
  b: '%b',
  B: '%B',
  h: '%b',
  d: '%d',
  D: '%m/%d/%y',
  F: '%Y-%m-%d',
  H: '%H',
  I: '%I',
  j: '%j',
  m: '%m',
  M: '%M',
  p: '%p',
  R: '%H:%M',
  r: '%I:%M:%S %p',
  S: '%S',
  T: '%H:%M:%S',
  y: '%y',
  Y: '%Y',
  n: '\n',
  t: '\t',
  '%': '%%',
  U: '%U',
  W: '%W',
  w: '%w',
  u: '%u',
  V: '%V',
  G: '%G',
  x: '%m/%d/%y',
  X: '%H:%M:%S',
  E4Y: '%Y',
  Ex: '%m/%d/%y',
  EX: '%H:%M:%S',
  Ey: '%y',
  EY: '%Y',
  'E#S': '',
  'E*S': '',
};

const TIME_ELEMENTS = /^(?:H|I|M|p|P|R|r|S|T|X|EX|k|l|E.*S)$/;
const ZONE_ELEMENTS = /^(?:z|Z|Ez)$/;

/** Reads the elements of a format; plain text has a null element. */
export function readElements(format: string): { readonly element: string | null; readonly text: string }[] {
  const found: { element: string | null; text: string }[] = [];
  for (const [text, element] of format.matchAll(/%(E[0-9*#]?[a-zA-Z]|[\s\S])|[^%]+|%$/g)) {
    found.push({ element: element ?? null, text });
  }
  return found;
}

/** FORMAT_TIMESTAMP(format, value) and its siblings, for a literal format. */
export function formatLocalTime(format: string, time: ShownTime): Sql {
  const pieces: (Sql | null)[] = [];
  let run = '';
  for (const { element, text } of readElements(format)) {
    const isPlain = element === null || !fits(element, time);
    const direct = isPlain ? text.replaceAll('%', '%%') : strftimeElement(element);
    if (direct !== null) {
      run += direct;
      continue;
    }
    pieces.push(run === '' ? null : strftime(run, time), computed(element ?? '', time));
    run = '';
  }
  pieces.push(run === '' ? null : strftime(run, time));
  const used = pieces.filter((piece) => piece !== null);
  return used.length === 0
    ? duck`CASE WHEN ${time.shown} IS NOT NULL THEN '' END`
    : duck`(${joined(used, ' || ')})`;
}

function strftime(format: string, time: ShownTime): Sql {
  return format === '' ? EMPTY : duck`strftime(${time.shown}, ${textSql(format)})`;
}

function strftimeElement(element: string): string | null {
  const format = STRFTIME[element];
  return format === undefined || format === '' ? null : format;
}

/** DATE has no clock, TIME no calendar, and only TIMESTAMP a zone; there the elements stay as they are. */
function fits(element: string, { type }: ShownTime): boolean {
  if (/^[nt%]$/.test(element)) return true;
  const isTime = TIME_ELEMENTS.test(element);
  if (type.kind === 'TIME') return isTime;
  if (type.kind === 'DATE' && (isTime || /^E?c$|^s$/.test(element))) return false;
  return type.kind === 'TIMESTAMP' || !ZONE_ELEMENTS.test(element);
}

/** Elements that need more than strftime. */
function computed(element: string, time: ShownTime): Sql {
  const { shown, instant } = time;
  const micros = duck`(microsecond(${shown}) % 1000000)`;
  const digits = duck`lpad(CAST(${micros} AS VARCHAR), 6, '0')`;
  const fixed = /^E(\d)S$/.exec(element);
  if (fixed !== null) {
    const count = Number(fixed[1]);
    if (count === 0) return strftime('%S', time);
    return duck`${strftime('%S.', time)} || rpad(left(${digits}, ${count}), ${count}, '0')`;
  }
  switch (element) {
    case 'E*S':
    case 'E#S':
      return duck`${strftime('%S', time)} || CASE WHEN ${micros} = 0 THEN '' ELSE '.' || rtrim(${digits}, '0') END`;
    case 'C':
    case 'EC':
      return duck`lpad(CAST(year(${shown}) // 100 AS VARCHAR), 2, '0')`;
    case 'e':
      return duck`lpad(CAST(day(${shown}) AS VARCHAR), 2, ' ')`;
    case 'k':
      return duck`lpad(CAST(hour(${shown}) AS VARCHAR), 2, ' ')`;
    case 'l':
      return duck`lpad(CAST((hour(${shown}) + 11) % 12 + 1 AS VARCHAR), 2, ' ')`;
    case 'P':
      return duck`lower(${strftime('%p', time)})`;
    case 'g':
      return duck`lpad(CAST(isoyear(${shown}) % 100 AS VARCHAR), 2, '0')`;
    case 'Q':
    case 'EQ':
      return duck`CAST(quarter(${shown}) AS VARCHAR)`;
    case 'c':
    case 'Ec':
      return duck`${strftime('%a %b ', time)} || lpad(CAST(day(${shown}) AS VARCHAR), 2, ' ') || ${strftime(' %H:%M:%S %Y', time)}`;
    case 's':
      return duck`CAST(CAST(epoch(date_trunc('second', ${instant ?? shown})) AS BIGINT) AS VARCHAR)`;
    case 'z':
    case 'Ez':
      return duck`gsql_offset_digits(${shown}, ${instant ?? undefined}, ${textLiteral(element === 'z' ? '' : ':')})`;
    case 'Z':
      return duck`gsql_zone_text(${shown}, ${instant ?? undefined})`;
    default:
      throw notSupported(`the format element %${element}`);
  }
}
