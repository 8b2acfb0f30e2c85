import { RE2JS } from 're2js';
import { checkRe2 } from '../../../../../re2/check-re2.ts';
import { REFUSAL } from '../../not-supported.ts';
import { MAX_JOINED_BYTES } from '../sizes.ts';
import { forLast, type JavaScriptFunction, javaScriptFunction, ValueError } from './javascript-function.ts';

const compiled = forLast((pattern) => {
  const checked = checkRe2(pattern);
  if (checked.kind !== 'valid' && pattern.includes('\\C'))
    throw new ValueError(`${REFUSAL}a regular expression with \\C`);
  if (checked.kind !== 'valid') throw new ValueError(`Cannot parse regular expression: ${checked.complaint}`);
  return RE2JS.compile(checked.portable);
});

/** RE2 finds `\\B` between the bytes of a character as well, which re2js does not. */
export const BETWEEN_BYTES = '\\B';

const ASCII = /^[^\u0080-\u{10ffff}]*$/u;

/** The regular expression of a pattern, for a text. */
function compiledFor(pattern: string, text: string): RE2JS {
  const regexp = compiled(pattern);
  if (pattern.includes(BETWEEN_BYTES) && !ASCII.test(text))
    throw new ValueError(`${REFUSAL}${BETWEEN_BYTES} in a regular expression over text that is not ASCII`);
  return regexp;
}

/** compiledFor() for a function that gives a match or its one group. */
function extractorFor(pattern: string, text: string): RE2JS {
  const regexp = compiledFor(pattern, text);
  checkGroups(regexp);
  return regexp;
}

function checkGroups(regexp: RE2JS): void {
  if (regexp.groupCount() > 1)
    throw new ValueError(
      'Regular expressions passed into extraction functions must not have more than 1 capturing group',
    );
}

type Matcher = ReturnType<RE2JS['matcher']>;

/** A match, or its one group; null for a group that takes no part in it. Places are in UTF-16. */
interface Match {
  readonly start: number;
  readonly end: number;
}

/**
 * All matches as GoogleSQL finds them: after an empty one it goes on one character later, and it does not look any more at the
 * end of the text. `next` is where it would go on.
 */
function* matchesOf(
  regexp: RE2JS,
  text: string,
): Generator<{ readonly found: Match | null; readonly next: number }> {
  const groups = regexp.groupCount();
  const matcher: Matcher = regexp.matcher(text);
  let next = 0;
  while (matcher.find(next)) {
    const isEmpty = matcher.start() === matcher.end();
    next = matcher.end() + (isEmpty ? widthAt(text, matcher.end()) : 0);
    const [start, end] = [matcher.start(groups), matcher.end(groups)];
    yield { found: start < 0 ? null : { start, end }, next };
    if (next >= text.length) return;
  }
}

/** How many units of UTF-16 the character at a place has; none at the end. */
function widthAt(text: string, at: number): number {
  const code = text.codePointAt(at);
  if (code === undefined) return 0;
  return code > 0xffff ? 2 : 1;
}

/** The place of the nth character, from 1. There are as many as the text has bytes: those beyond the last character are its end. */
function placeOf(text: string, position: bigint): number | null {
  if (position > BigInt(text.length) && position > BigInt(Buffer.byteLength(text))) return null;
  let place = 0;
  for (let left = Number(position) - 1; left > 0 && place < text.length; left--)
    place += widthAt(text, place);
  return place;
}

const charactersIn = (text: string): number => {
  let count = 0;
  for (let place = 0; place < text.length; place += widthAt(text, place)) count++;
  return count;
};

function checkPlaces(position: bigint, occurrence: bigint): void {
  if (position < 1n) throw new ValueError('Position must be positive');
  if (occurrence < 1n) throw new ValueError('Occurrence must be positive');
}

/** The nth match; null where there are fewer. */
function nthMatch(regexp: RE2JS, text: string, occurrence: bigint) {
  let count = 0n;
  for (const match of matchesOf(regexp, text)) if (++count === occurrence) return match;
  return null;
}

function extract(text: string, pattern: string, position: bigint, occurrence: bigint): string | null {
  const regexp = compiledFor(pattern, text);
  checkPlaces(position, occurrence);
  const place = text === '' && position === 1n ? 0 : placeOf(text, position);
  // GoogleSQL looks at the groups where there is something to search.
  if (place === null) return null;
  checkGroups(regexp);
  const rest = text.slice(place);
  const found = nthMatch(regexp, rest, occurrence)?.found ?? null;
  return found === null ? null : rest.slice(found.start, found.end);
}

function extractAll(text: string, pattern: string): readonly string[] {
  return [...matchesOf(extractorFor(pattern, text), text)].map(({ found }) =>
    found === null ? '' : text.slice(found.start, found.end),
  );
}

/** The place of a match in characters; that of an empty one is where the search goes on, as in GoogleSQL. */
function place(text: string, pattern: string, position: bigint, occurrence: bigint, after: bigint): bigint {
  const regexp = compiledFor(pattern, text);
  if (after !== 0n && after !== 1n) throw new ValueError('Invalid return_position_after_match.');
  checkPlaces(position, occurrence);
  const start = pattern === '' ? null : placeOf(text, position);
  if (start === null) return 0n;
  // GoogleSQL looks at the groups where there is something to search.
  checkGroups(regexp);
  const rest = text.slice(start);
  const match = nthMatch(regexp, rest, occurrence);
  if (match?.found == null) return 0n;
  const { found, next } = match;
  const end = regexp.groupCount() === 0 ? next : found.end;
  const before = after === 1n ? end : end - (found.end - found.start);
  return BigInt(charactersIn(rest.slice(0, before))) + position;
}

/** Texts between groups, and the groups' numbers. */
function readReplacement(replacement: string, groups: number): readonly (string | number)[] {
  return [...replacement.matchAll(/\\([\s\S]?)|[^\\]+/g)].map(([part, escaped]) => {
    if (escaped === undefined) return part;
    if (escaped === '\\') return escaped;
    if (!/[0-9]/.test(escaped))
      throw new ValueError(
        'Invalid REGEXP_REPLACE pattern: a backslash must be followed by a digit or a backslash',
      );
    if (Number(escaped) > groups)
      throw new ValueError(
        `Invalid REGEXP_REPLACE pattern: it refers to group ${escaped}, but the expression has ${groups}`,
      );
    return Number(escaped);
  });
}

/** All matches replaced, but an empty one right after another match. */
function replaceAll(text: string, pattern: string, replacement: string): string {
  const regexp = compiledFor(pattern, text);
  const parts = readReplacement(replacement, regexp.groupCount());
  const matcher = regexp.matcher(text);
  const pieces: string[] = [];
  let size = 0;
  const add = (piece: string) => {
    size += piece.length;
    if (size > MAX_JOINED_BYTES)
      throw new ValueError(`REGEXP_REPLACE makes a text of at most ${MAX_JOINED_BYTES} bytes`);
    pieces.push(piece);
  };
  let lastEnd = -1;
  let at = 0;
  while (matcher.find(at)) {
    const [start, end] = [matcher.start(), matcher.end()];
    add(text.slice(at, start));
    if (start !== end || start !== lastEnd)
      for (const part of parts) add(typeof part === 'string' ? part : (matcher.group(part) ?? ''));
    lastEnd = end;
    at = end;
    if (start !== end) continue;
    if (end >= text.length) break;
    at = end + widthAt(text, end);
    add(text.slice(end, at));
  }
  add(text.slice(at));
  return pieces.join('');
}

/** Regular expressions where DuckDB's own functions do not say which group took part, or take constants alone. */
export const REGEXP_FUNCTIONS: readonly JavaScriptFunction[] = [
  javaScriptFunction('gsql_regexp_extract', ['VARCHAR', 'VARCHAR', 'BIGINT', 'BIGINT'], 'VARCHAR', extract),
  javaScriptFunction('gsql_regexp_extract_all', ['VARCHAR', 'VARCHAR'], 'VARCHAR[]', extractAll),
  javaScriptFunction(
    'gsql_regexp_instr',
    ['VARCHAR', 'VARCHAR', 'BIGINT', 'BIGINT', 'BIGINT'],
    'BIGINT',
    place,
  ),
  javaScriptFunction('gsql_regexp_replace', ['VARCHAR', 'VARCHAR', 'VARCHAR'], 'VARCHAR', replaceAll),
];
