import { AGGREGATE_FUNCTIONS } from './aggregates.ts';
import { ARRAY_FUNCTIONS } from './arrays.ts';
import { DATE_TIME_FUNCTIONS } from './date-time.ts';
import type { Entries, FunctionEntry } from './entry.ts';
import { FORMAT_CASTS } from './format-casts.ts';
import { HASH_FUNCTIONS } from './hashes.ts';
import { JSON_FUNCTIONS } from './json.ts';
import { MATH_FUNCTIONS } from './math.ts';
import { NET_FUNCTIONS } from './net.ts';
import { CONDITIONAL_FUNCTIONS, OPERATORS } from './operators.ts';
import { parseSignature } from './parse-signature.ts';
import { REGEXP_FUNCTIONS } from './regexps.ts';
import type { FunctionSpec } from './signature.ts';
import { SKETCH_FUNCTIONS } from './sketches.ts';
import { STRING_FUNCTIONS } from './strings.ts';
import { TEXT_SEARCH_FUNCTIONS } from './text-search.ts';
import { WINDOW_FUNCTIONS } from './windows.ts';

const CATALOG: ReadonlyMap<string, FunctionSpec> = readEntries([
  OPERATORS,
  FORMAT_CASTS,
  CONDITIONAL_FUNCTIONS,
  STRING_FUNCTIONS,
  REGEXP_FUNCTIONS,
  HASH_FUNCTIONS,
  SKETCH_FUNCTIONS,
  NET_FUNCTIONS,
  TEXT_SEARCH_FUNCTIONS,
  MATH_FUNCTIONS,
  DATE_TIME_FUNCTIONS,
  JSON_FUNCTIONS,
  ARRAY_FUNCTIONS,
  AGGREGATE_FUNCTIONS,
  WINDOW_FUNCTIONS,
]);

function readEntries(groups: readonly Entries[]): ReadonlyMap<string, FunctionSpec> {
  const catalog = new Map<string, FunctionSpec>();
  for (const [name, entry] of groups.flatMap((entries) => Object.entries(entries))) {
    if (catalog.has(name)) throw new TypeError(`two entries for ${name}`);
    catalog.set(name, readEntry(name, entry));
  }
  return catalog;
}

function readEntry(name: string, entry: FunctionEntry): FunctionSpec {
  const signatures = entry.signatures.map((line) => parseSignature(name, line));
  const parts = [...new Set(signatures.flatMap((signature) => signature.parts ?? []))];
  const label = entry.label ?? `function ${name}`;
  return { ...entry, name, label, signatures, parts: parts.length > 0 ? parts : null };
}

/** The function of this name, upper case with its namespace (`NET.HOST`); operators are `$ADD` and so on. */
export function findFunction(name: string): FunctionSpec | undefined {
  return CATALOG.get(name);
}

/** Every function that a query may call, without operators; for documentation and suggestions. */
export function functionNames(): readonly string[] {
  return [...CATALOG.keys()].filter((name) => !name.startsWith('$'));
}

/** Every operator, under the name that a resolved call has. */
export function operatorNames(): readonly string[] {
  return [...CATALOG.keys()].filter((name) => name.startsWith('$'));
}

/** The functions whose value is the present; a query may write them without parentheses. */
export function clockFunctions(): readonly FunctionSpec[] {
  return [...CATALOG.values()].filter(({ readsClock }) => readsClock === true);
}
