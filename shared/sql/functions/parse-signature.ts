import { arrayOf, SCALAR_TYPES, type SqlType } from '../types/sql-type.ts';
import { PART_SETS } from './date-parts.ts';
import type { ArgumentPattern, PatternType, Signature } from './signature.ts';

/**
 * Reads a signature of the catalogue: `(STRING, INT64[, INT64]) -> STRING`. Brackets enclose optional arguments,
 * `...` follows one that may come any number of times (also none), `name => TYPE` is given by name only and
 * `name? => TYPE` by name or place, `= 0` is its value in calls that leave it out (otherwise NULL), `part:SET` and
 * `interval:SET` take the keywords of a set in date-parts.ts. `TYPE!` takes no value of another type, `TYPE*` no literal and no parameter. Throws a TypeError on anything else.
 */
export function parseSignature(name: string, line: string): Signature {
  const match = /^\((.*)\) -> (.+)$/.exec(line);
  if (match === null || !/^[$A-Z][A-Z0-9_.]*$/.test(name))
    throw new TypeError(`not a signature: ${name}${line}`);
  const [, list = '', result = ''] = match;
  const args = parseArguments(list);
  const parts = args.flatMap(({ pattern }) =>
    pattern.kind === 'part' || pattern.kind === 'interval' ? [pattern.accepts] : [],
  );
  return {
    text: `${name}(${readable(list)})`,
    arguments: args,
    result: parsePattern(result),
    parts: parts[0] ?? null,
  };
}

function parseArguments(list: string): ArgumentPattern[] {
  const args: ArgumentPattern[] = [];
  let optional = false;
  for (const token of list.match(/\[|\]|[^\s,[\]](?:<[^>]*>|[^,[\]])*/g) ?? []) {
    if (token === '[') optional = true;
    else if (token !== ']') args.push(parseArgument(token.trim(), optional));
  }
  return args;
}

function parseArgument(text: string, optional: boolean): ArgumentPattern {
  const named = /^([a-z_]+)(\??) => (.+?)(?: = (\d+|TRUE|FALSE|'\w+'))?$/.exec(text);
  const [, name = null, byPlace = '?', type = text, fallback] = named ?? [];
  const repeated = type.endsWith('...');
  return {
    pattern: parsePattern(repeated ? type.slice(0, -3) : type),
    optional,
    repeated,
    name,
    byPlace: byPlace === '?',
    fallback: fallback === undefined ? null : parseFallback(fallback),
  };
}

function parseFallback(text: string): bigint | boolean | string {
  if (text === 'TRUE' || text === 'FALSE') return text === 'TRUE';
  return text.startsWith("'") ? text.slice(1, -1) : BigInt(text);
}

function parsePattern(text: string): PatternType {
  if (text === 'ANY') return { kind: 'any' };
  if (text === 'T' || text === 'U') return { kind: 'variable', name: text };
  const [kind, set] = text.split(':');
  if (kind === 'part' || kind === 'interval') {
    const accepts = PART_SETS[set ?? ''];
    if (accepts === undefined) throw new TypeError(`no such set of date parts: ${text}`);
    return { kind, accepts };
  }
  const weighted = /^ARRAY<STRUCT<value T, (count|sum) (\w+)>>$/.exec(text);
  if (weighted !== null) {
    const field = weighted[1] === 'sum' ? 'sum' : 'count';
    return { kind: 'weighted', name: 'T', field, weight: scalar(weighted[2] ?? '') };
  }
  if (text.endsWith('!')) return { kind: 'type', type: scalar(text.slice(0, -1)), isExact: true };
  if (text.endsWith('*')) return { kind: 'type', type: scalar(text.slice(0, -1)), isComputed: true };
  const element = /^ARRAY<(.+)>$/.exec(text)?.[1];
  if (element === 'T' || element === 'U') return { kind: 'array-of', name: element };
  return {
    kind: 'type',
    type: element === undefined ? scalar(text) : arrayOf(scalar(element)),
  };
}

function scalar(name: string): SqlType {
  const kind = SCALAR_TYPES.find((known) => known === name);
  if (kind === undefined) throw new TypeError(`no such type: ${name}`);
  return { kind };
}

function readable(list: string): string {
  return list
    .replace(/(\w)[!*]/g, '$1')
    .replace(/part:\w+/g, 'DATE_TIME_PART')
    .replace(/interval:\w+/g, 'INTERVAL')
    .replace(/(\w+)\? => (\w+) = \d+/g, '[$1 =>] $2');
}
