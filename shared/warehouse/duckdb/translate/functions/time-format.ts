import type { SqlType } from '../../../../sql/types/sql-type.ts';
import { duck, joined, type Sql } from '../duck/sql.ts';
import { textSql } from './fragments.ts';

/** Elements that DuckDB's strftime has with the same meaning in the years that have four digits, as its formats. */
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
};

/** Numbers with a blank for their first digit, which strftime has not, by DuckDB's functions. */
const BLANK: Readonly<Record<string, (shown: Sql) => Sql>> = {
  e: (shown) => duck`day(${shown})`,
  k: (shown) => duck`hour(${shown})`,
  l: (shown) => duck`((hour(${shown}) + 11) % 12 + 1)`,
};

const TIME_ELEMENTS = 'HIkMlpRrSTX';

/** The same format as DuckDB SQL; null where it has an element that needs more, or that the type has not got. */
export function plainFormat(format: string, type: SqlType): ((shown: Sql) => Sql) | null {
  const pieces: ((shown: Sql) => Sql)[] = [];
  let run = '';
  const endRun = () => {
    const text = textSql(run);
    if (run !== '') pieces.push((shown) => duck`strftime(${shown}, ${text})`);
    run = '';
  };
  const expanded = format.replace(/%([c%])/g, (text, letter) =>
    letter === 'c' && type.kind !== 'TIME' && type.kind !== 'DATE' ? '%a %b %e %T %Y' : text,
  );
  for (const [text, element] of expanded.matchAll(/%(E4Y|[\s\S])|[^%]+|%$/g)) {
    const same = element === undefined ? text.replace(/^%$/, '%%') : STRFTIME[element];
    const blank = element === undefined ? undefined : BLANK[element];
    if (element !== undefined && !fits(element, type)) return null;
    if (same !== undefined) run += same;
    else if (blank === undefined) return null;
    else {
      endRun();
      pieces.push((shown) => duck`lpad(CAST(${blank(shown)} AS VARCHAR), 2, ' ')`);
    }
  }
  endRun();
  if (pieces.length === 0) return null;
  return (shown) =>
    joined(
      pieces.map((piece) => piece(shown)),
      ' || ',
    );
}

function fits(element: string, { kind }: SqlType): boolean {
  if (/[nt%]/.test(element)) return true;
  const isTime = TIME_ELEMENTS.includes(element);
  return kind === 'DATE' ? !isTime : kind !== 'TIME' || isTime;
}
