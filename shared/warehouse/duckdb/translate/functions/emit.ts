import { findFunction, functionNames } from '../../../../sql/functions/catalog.ts';
import type { ResolvedAggregate, ResolvedCall, ResolvedWindow } from '../../../../sql/resolved/expression.ts';
import { duck, EMPTY, type Sql } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import { type AggregateParts, findAggregate } from './aggregates.ts';
import { ARITHMETIC } from './arithmetic.ts';
import { ARRAYS } from './arrays.ts';
import { COMPARISONS } from './comparisons.ts';
import { DATE_CONSTRUCTORS } from './date-constructors.ts';
import { DATE_FIELDS } from './date-fields.ts';
import { DATE_SHIFTS } from './date-shift.ts';
import { DATE_BOUNDS } from './date-trunc.ts';
import type { EmitContext, Emitter } from './emitter.ts';
import { bindComplex } from './fragments.ts';
import { HASHES } from './hashes.ts';
import { INTERVALS } from './intervals.ts';
import { IP_ADDRESSES } from './ip-addresses.ts';
import { JSON_EMITTERS } from './json.ts';
import { JSON_BUILDING } from './json-building.ts';
import { JSON_CONVERSIONS } from './json-conversions.ts';
import { JSON_EDITING } from './json-editing.ts';
import { LOGIC } from './logic.ts';
import { MATH } from './math.ts';
import { NETWORK } from './network.ts';
import { REGEXPS } from './regexps.ts';
import { STRINGS } from './strings.ts';
import { TEXT_FORMATS } from './text-formats.ts';
import type { WindowWork } from './window-work.ts';
import { findWindowFunction } from './windows.ts';

const SCALARS: ReadonlyMap<string, Emitter> = new Map(
  [
    ARITHMETIC,
    ARRAYS,
    COMPARISONS,
    DATE_BOUNDS,
    DATE_CONSTRUCTORS,
    DATE_FIELDS,
    DATE_SHIFTS,
    HASHES,
    INTERVALS,
    IP_ADDRESSES,
    LOGIC,
    MATH,
    NETWORK,
    REGEXPS,
    STRINGS,
    TEXT_FORMATS,
    JSON_BUILDING,
    JSON_CONVERSIONS,
    JSON_EDITING,
    JSON_EMITTERS,
  ].flatMap((family) => Object.entries(family)),
);

/**
 * DuckDB SQL that gives what GoogleSQL's function or operator gives. Throws a ServiceError (invalid_argument) that names
 * what DuckDB has no exact answer for. `SAFE.` gives NULL for errors of the function itself, not of its arguments.
 */
export function emitCall(call: ResolvedCall, sql: readonly Sql[], context: EmitContext): Sql {
  const emitter = SCALARS.get(call.name);
  if (emitter === undefined) throw notSupported(call.name);
  const emit = (names: readonly Sql[]) => emitter({ ...call, sql: names, context });
  if (call.safe) return bindComplex(sql, (...names) => duck`TRY(${emit(names)})`);
  const value = emit(sql);
  return findFunction(call.name)?.raises && !value.properties.isConstant ? value.raising() : value;
}

/** DuckDB SQL of an aggregate function's call in a grouping query. Throws as emitCall() does. */
export function emitAggregate(aggregate: ResolvedAggregate, parts: AggregateParts): Sql {
  const emitter = findAggregate(aggregate.name);
  if (emitter === undefined) throw notSupported(aggregate.name);
  const bound = aggregate.having?.bound ?? null;
  return emitter({ ...aggregate, ...parts, bound, type: aggregate.column.type, over: EMPTY });
}

/** DuckDB SQL of a window function's or an aggregate's call; `over` is its whole `OVER (…)`. Throws as emitCall() does. */
export function emitWindow(window: ResolvedWindow, sql: readonly Sql[], over: Sql): Sql {
  const emitter = findWindowFunction(window.name);
  if (emitter !== undefined) return duck`${emitter(window, sql)} ${over}`;
  const aggregate = findAggregate(window.name);
  if (aggregate === undefined) throw notSupported(window.name);
  const parts = { sql, having: null, bound: null, orderBy: null, limit: null, groupsBySets: false };
  return aggregate({ ...window, ...parts, type: window.column.type, over: duck` ${over}` });
}

/** The work of a call over a window that may be too much; null where there is no need to limit it. */
export function windowWork(window: ResolvedWindow, sql: readonly Sql[]): WindowWork | null {
  const translator = findWindowFunction(window.name) ?? findAggregate(window.name);
  return translator?.measureWork?.(window, sql) ?? null;
}

/** Whether DuckDB computes a function or operator of the catalogue: whether it has a translation. */
export function isEmitted(name: string): boolean {
  return SCALARS.has(name) || findAggregate(name) !== undefined || findWindowFunction(name) !== undefined;
}

/** The functions of the catalogue without a translation, in alphabetical order; a call of one is refused by name. */
export function unsupportedFunctions(): readonly string[] {
  return functionNames()
    .filter((name) => !isEmitted(name))
    .sort();
}
