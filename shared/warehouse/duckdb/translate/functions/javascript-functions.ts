import { createHash } from 'node:crypto';
import { bigqueryFingerprint } from 'farmhash-modern';
import { fromBase32, toBase32 } from './base32.ts';

<<<<<<< HEAD

import { type JavaScriptFunction, javaScriptFunction } from './javascript/javascript-function.ts';
import { JSON_FUNCTIONS } from './javascript/json-functions.ts';

=======

import { decimalResult } from './decimal-arithmetic.ts';

/** A function that DuckDB lacks and calls in JavaScript: of a value that is not NULL, for translations to name. */
export interface JavaScriptFunction {
  readonly name: string;
  readonly result: 'BLOB' | 'VARCHAR' | 'BIGINT';
  /** Computes the value; null for none. It may not throw: what it answers null for, a translation refuses. */
  readonly compute: (bytes: Uint8Array) => Uint8Array | string | bigint | null;
}
>>>>>>> 1088b8f (Hold numbers, times, windows and groups to Google's evaluator)

/**
 * The functions that DuckDB lacks. A call costs some 2 µs a row more than one of DuckDB's own, and runs on the thread that the
 * process answers requests on: only what DuckDB's own functions cannot do belongs here.
 */
export const JAVASCRIPT_FUNCTIONS: readonly JavaScriptFunction[] = [
<<<<<<< HEAD
  javaScriptFunction('gsql_sha512', ['BLOB'], 'BLOB', (bytes) => createHash('sha512').update(bytes).digest()),
  javaScriptFunction('gsql_farm_fingerprint', ['BLOB'], 'BIGINT', bigqueryFingerprint),
  javaScriptFunction('gsql_to_base32', ['BLOB'], 'VARCHAR', toBase32),
  javaScriptFunction('gsql_from_base32', ['BLOB'], 'BLOB', fromBase32),
  ...JSON_FUNCTIONS,
=======
  { name: 'gsql_sha512', result: 'BLOB', compute: (bytes) => createHash('sha512').update(bytes).digest() },
  { name: 'gsql_farm_fingerprint', result: 'BIGINT', compute: bigqueryFingerprint },
  { name: 'gsql_decimal', result: 'VARCHAR', compute: decimalResult },
  { name: 'gsql_to_base32', result: 'VARCHAR', compute: toBase32 },
  { name: 'gsql_from_base32', result: 'BLOB', compute: fromBase32 },
>>>>>>> 1088b8f (Hold numbers, times, windows and groups to Google's evaluator)
];
