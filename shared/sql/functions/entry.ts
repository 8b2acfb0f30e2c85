import type { FunctionFacts } from './signature.ts';

/**
 * All that is known of a function or operator, whatever warehouse computes it. Its translation for DuckDB stands in
 * shared/warehouse/duckdb/translate/functions under the same name.
 */
export interface FunctionEntry extends FunctionFacts {
  /** In order of preference, as parse-signature.ts reads them: `(STRING, INT64[, INT64]) -> STRING`. */
  readonly signatures: readonly string[];
}

/** Entries by name: upper case, with the namespace (`NET.HOST`); operators are `$ADD` and so on. */
export type Entries = Readonly<Record<string, FunctionEntry>>;

/** Nothing but arguments: what scalar functions and some aggregates take. */
export const PLAIN = {
  allowsDistinct: false,
  allowsOrderBy: false,
  allowsLimit: false,
  allowsNulls: false,
  allowsHaving: false,
  allowsOver: false,
  needsOrder: false,
  allowsWindowOrder: false,
  allowsFrame: false,
} as const;

/** An entry of a scalar function. */
export function scalar(description: string, ...signatures: readonly string[]): FunctionEntry {
  return { kind: 'scalar', description, ...PLAIN, signatures };
}

/** An entry of a scalar function that refuses values of its arguments. */
export function raising(description: string, ...signatures: readonly string[]): FunctionEntry {
  return { ...scalar(description, ...signatures), raises: true };
}

/** An entry of a scalar function that answers whatever its arguments are. */
export function total(entry: FunctionEntry): FunctionEntry {
  return { ...entry, isTotal: true };
}

/** An entry of a scalar function that is NULL where any of its arguments is. */
export function strict(entry: FunctionEntry): FunctionEntry {
  return { ...entry, isStrict: true };
}

/** An entry of an aggregate function that takes nothing but arguments, so no DISTINCT and no OVER. */
export function plainAggregate(description: string, ...signatures: readonly string[]): FunctionEntry {
  return { kind: 'aggregate', description, ...PLAIN, signatures };
}

/** An entry of an operator: messages call it by its label. */
export function operator(label: string, ...signatures: readonly string[]): FunctionEntry {
  return { ...scalar(label, ...signatures), label };
}

/** Entries of functions that differ by name alone. */
export function sameFor(names: readonly string[], entry: (name: string) => FunctionEntry): Entries {
  return Object.fromEntries(names.map((name) => [name, entry(name)]));
}

const NUMBERS = ['INT64', 'NUMERIC', 'BIGNUMERIC', 'FLOAT64'];

/** One signature for each numeric type, in the order in which they are tried. */
export function perNumber(signature: (type: string) => string): string[] {
  return NUMBERS.map(signature);
}

/** One signature for STRING and one for BYTES. */
export function perText(signature: (type: string) => string): string[] {
  return ['STRING', 'BYTES'].map(signature);
}
