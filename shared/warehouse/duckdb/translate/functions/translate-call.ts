import { findFunction, functionNames } from '../../../../sql/functions/catalog.ts';
import type {
  ResolvedAggregate,
  ResolvedCall,
  ResolvedExpression,
  ResolvedWindow,
} from '../../../../sql/resolved/expression.ts';
import { duck, EMPTY, type Sql } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import type { AggregateParts } from './aggregate-site.ts';
import { findAggregate } from './aggregates.ts';
import { ARITHMETIC } from './arithmetic.ts';
import { ARRAYS } from './arrays.ts';
import type { CallContext, CallTranslator } from './call-site.ts';
import { COMPARISONS } from './comparisons.ts';
import { DATE_BUCKETS } from './date-buckets.ts';
import { DATE_CONSTRUCTORS } from './date-constructors.ts';
import { DATE_FIELDS } from './date-fields.ts';
import { DATE_SHIFTS } from './date-shift.ts';
import { DATE_BOUNDS } from './date-trunc.ts';
import { DISTANCES } from './distances.ts';
import { FORMAT_CASTS } from './format-casts.ts';
import { withNamesOutsideTry, withSubqueriesOutside } from './fragments.ts';
import { HASHES } from './hashes.ts';
import { INTERVALS } from './intervals.ts';
import { IP_ADDRESSES } from './ip-addresses.ts';
import { JSON_TRANSLATORS } from './json.ts';
import { JSON_BUILDING } from './json-building.ts';
import { JSON_CONVERSIONS } from './json-conversions.ts';
import { JSON_EDITING } from './json-editing.ts';
import { LOGIC } from './logic.ts';
import { MATH } from './math.ts';
import { NETWORK } from './network.ts';
import { nullFirst } from './null-arguments.ts';
import { REGEXPS } from './regexps.ts';
import { SKETCHES } from './sketches.ts';
import { STRINGS } from './strings.ts';
import { sum } from './sums.ts';
import { TEXT_FORMATS } from './text-formats.ts';
import { TEXT_SEARCH } from './text-search.ts';
import { TIME_FORMATS } from './time-formats.ts';
import type { WindowWork } from './window-work.ts';
import { findWindowFunction } from './windows.ts';

const SCALARS: ReadonlyMap<string, CallTranslator> = new Map(
  [
    ARITHMETIC,
    ARRAYS,
    COMPARISONS,
    DATE_BOUNDS,
    DATE_BUCKETS,
    DATE_CONSTRUCTORS,
    DATE_FIELDS,
    DATE_SHIFTS,
    DISTANCES,
    FORMAT_CASTS,
    HASHES,
    INTERVALS,
    IP_ADDRESSES,
    LOGIC,
    MATH,
    NETWORK,
    REGEXPS,
    SKETCHES,
    STRINGS,
    TEXT_FORMATS,
    TEXT_SEARCH,
    TIME_FORMATS,
    JSON_BUILDING,
    JSON_CONVERSIONS,
    JSON_EDITING,
    JSON_TRANSLATORS,
  ].flatMap((family) => Object.entries(family)),
);

/**
 * DuckDB SQL that gives what GoogleSQL's function or operator gives. Throws a ServiceError (invalid_argument) that names
 * what DuckDB has no exact answer for. `SAFE.` gives NULL for errors of the function itself, not of its arguments.
 */
export function translateCall(call: ResolvedCall, sql: readonly Sql[], context: CallContext): Sql {
  const translator = SCALARS.get(call.name);
  if (translator === undefined) throw notSupported(call.name);
  const translate = (names: readonly Sql[]) => translator({ ...call, sql: names, context });
  if (call.safe && !isAlwaysSafe(call.name)) {
    return withNamesOutsideTry(sql, (...names) => {
      const computed = translate(names);
      if (!computed.properties.mayRefuse) return duck`TRY(${computed})`;
      // TRY would make NULL of the refusal, and nothing tells it from the NULL of an error.
      if (findFunction(call.name)?.isSafeByItself) return computed;
      throw notSupported(`SAFE.${call.name}`);
    });
  }
  const plain = nullFirst(call.name, sql, translate);
  const value = plain.properties.hasSubqueryInLambda
    ? withSubqueriesOutside(sql, (...names) => nullFirst(call.name, names, translate))
    : plain;
  return findFunction(call.name)?.raises && !value.properties.isConstant ? value.raising() : value;
}

/** Whether a function has no errors of its own, and so leaves its arguments where they are: SAFE.IF computes one of two. */
function isAlwaysSafe(name: string): boolean {
  const spec = findFunction(name);
  return spec?.isTotal === true && spec.patternArgument === undefined;
}

/** DuckDB SQL of an aggregate function's call in a grouping query. Throws as translateCall() does. */
export function translateAggregate(aggregate: ResolvedAggregate, parts: AggregateParts): Sql {
  const translator = findAggregate(aggregate.name);
  if (translator === undefined) throw notSupported(aggregate.name);
  const bound = aggregate.having?.bound ?? null;
  const over = parts.only === null ? EMPTY : duck` FILTER (WHERE ${parts.only})`;
  return translator({ ...aggregate, ...parts, bound, type: aggregate.column.type, over });
}

const NO_PARTS = { having: null, only: null, total: null, orderBy: null, groupsBySets: false } as const;

/** DuckDB SQL of the sum of values over a window; `over` is its whole `OVER (…)`. */
export function sumOver(values: ResolvedExpression, sql: Sql, over: Sql): Sql {
  const site = {
    ...NO_PARTS,
    name: 'SUM',
    arguments: [values],
    sql: [sql],
    distinct: false,
    nulls: null,
    limit: null,
  };
  return sum({ ...site, type: values.type, bound: null, over: duck` ${over}` });
}

/** DuckDB SQL of a window function's or an aggregate's call; `over` is its whole `OVER (…)`. Throws as translateCall() does. */
export function translateWindow(window: ResolvedWindow, sql: readonly Sql[], over: Sql): Sql {
  const translator = findWindowFunction(window.name);
  if (translator !== undefined) return translator(window, sql, over);
  const aggregate = findAggregate(window.name);
  if (aggregate === undefined) throw notSupported(window.name);
  const parts = { ...NO_PARTS, sql, bound: null, limit: null };
  return aggregate({ ...window, ...parts, type: window.column.type, over: duck` ${over}` });
}

/** The work of a call over a window that may be too much; null where there is no need to limit it. */
export function windowWork(window: ResolvedWindow, sql: readonly Sql[]): WindowWork | null {
  const translator = findWindowFunction(window.name) ?? findAggregate(window.name);
  return translator?.measureWork?.(window, sql) ?? null;
}

/** Whether DuckDB computes a function or operator of the catalogue: whether it has a translation. */
export function isTranslated(name: string): boolean {
  return SCALARS.has(name) || findAggregate(name) !== undefined || findWindowFunction(name) !== undefined;
}

/** The functions of the catalogue without a translation, in alphabetical order; a call of one is refused by name. */
export function unsupportedFunctions(): readonly string[] {
  return functionNames()
    .filter((name) => !isTranslated(name))
    .sort();
}
