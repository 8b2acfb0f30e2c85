import { readRe2 } from '../../../../re2/read-re2.ts';
import type { SqlType } from '../../../../sql/types/sql-type.ts';
import { duck, type Sql } from '../duck/sql.ts';
import { type CallSite, type CallTranslator, literalValue } from './call-site.ts';
import { refuseWhere, withLocals } from './fragments.ts';
import { MAX_JOINED_BYTES, MAX_TEXT_BYTES } from './sizes.ts';

/**
 * The most that a text in bytes and a regular expression in instructions may be, multiplied by each other: RE2 takes as
 * much time at worst, and cannot be interrupted.
 */
const MAX_WORK = 100_000_000;

/** Regular expressions of this size may be looked for in texts of any size that functions make alone. */
const SMALL_PATTERN = Math.floor(MAX_WORK / MAX_TEXT_BYTES);

/** What a counted repetition may stand for, when it is known only as the query runs. */
const REPETITION = 100;

/** Longest text in which matches that may be empty are all collected, in bytes. */
const MAX_BYTES_OF_EMPTY_MATCHES = 256 * 1024;

/** A call of a regular expression, with an error instead where the text is too long for it. */
export function withinWork(site: CallSite, call: CallTranslator): Sql {
  const pattern = literalValue(site, 1);
  const { name, type } = site;
  if (typeof pattern === 'string') {
    const size = Math.max(1, readRe2(pattern).size);
    if (size <= SMALL_PATTERN) return call(site);
    const most = Math.floor(MAX_WORK / size);
    const message = `${name} with a regular expression of this size takes a text of at most ${most} bytes`;
    return withLocals(site.sql, (...sql) =>
      refuseWhere(duck`strlen(${sql[0]}) > ${most}`, message, type, call({ ...site, sql })),
    );
  }
  const source = site.arguments[1];
  if (source?.kind === 'parameter') return call(site);
  return withLocals(site.sql, (...sql) => {
    const [text, regexp] = sql;
    const size = duck`strlen(${regexp}) * CASE WHEN contains(${regexp}, '{') THEN ${REPETITION} ELSE 1 END`;
    const message = `${name} with a regular expression that is not a literal takes at most ${MAX_WORK} bytes of text times bytes of pattern, ${REPETITION} times as many where it counts repetitions`;
    const work = duck`(strlen(${text}) + 1000)::DOUBLE * ${size}`;
    return refuseWhere(duck`${work} > ${MAX_WORK}`, message, type, call({ ...site, sql }));
  });
}

/** All matches of what may match empty text, of which there may be one at each place. */
export function withinMatches(site: CallSite, value: Sql, call: (value: Sql) => Sql): Sql {
  const message = `${site.name} of what may match empty text takes a text of at most ${MAX_BYTES_OF_EMPTY_MATCHES} bytes`;
  return withLocals([value], (text) =>
    refuseWhere(duck`strlen(${text}) > ${MAX_BYTES_OF_EMPTY_MATCHES}`, message, site.type, call(text)),
  );
}

/** REGEXP_REPLACE: every place may be replaced, and groups may be repeated. */
export function withinReplacement(
  value: Sql,
  replacement: Sql,
  literal: string | null,
  type: SqlType,
  call: (value: Sql, replacement: Sql) => Sql,
): Sql {
  if (literal !== null && literal.length <= 1) return call(value, replacement);
  const groups = literal === null ? 0 : [...literal.matchAll(/\\\d/g)].length;
  return withLocals([value, replacement], (text, other) => {
    const size = duck`strlen(${text}) * ${1 + groups} + (strlen(${text}) + 1)::DOUBLE * strlen(${other})`;
    const message = `REGEXP_REPLACE takes at most ${MAX_JOINED_BYTES} bytes of text times bytes of replacement`;
    return refuseWhere(duck`${size} > ${2 * MAX_JOINED_BYTES}`, message, type, call(text, other));
  });
}
