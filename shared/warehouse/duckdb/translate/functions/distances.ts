import { duck, type Sql } from '../duck/sql.ts';
import { argument, type CallSite, type CallTranslator, type CallTranslators } from './call-site.ts';
import { raise, raiseText, withLocals } from './fragments.ts';

/** A distance of two vectors of one length; `body` computes it of their elements, in pairs. */
function distance(body: (site: CallSite, pairs: Sql, areFinite: Sql) => Sql): CallTranslator {
  return (site) =>
    withLocals([argument(site, 0), argument(site, 1)], (a, b) => {
      const lengths = raise(duck`'Array length mismatch: ' || len(${a}) || ' and ' || len(${b})`, site.type);
      const missing = (place: string) => raiseText(`NULL array element in ${place} argument`, site.type);
      const areFinite = duck`coalesce(list_bool_and(list_transform(list_concat(${a}, ${b}), lambda e: isfinite(e))), true)`;
      return duck`CASE
        WHEN ${a} IS NULL OR ${b} IS NULL THEN NULL
        WHEN len(${a}) <> len(${b}) THEN ${lengths}
        WHEN list_count(${a}) < len(${a}) THEN ${missing('first')}
        WHEN list_count(${b}) < len(${b}) THEN ${missing('second')}
        ELSE ${withLocals([duck`list_zip(${a}, ${b})`], (pairs) => body(site, pairs, areFinite))} END`;
    });
}

/** The sum over pairs, from the first to the last. */
const total = (pairs: Sql, term: Sql): Sql =>
  duck`coalesce(list_sum(list_transform(${pairs}, lambda p: ${term})), 0::DOUBLE)`;

/** Whether a product of finite numbers is none, for some pair. */
const anyOverflow = (pairs: Sql, isOver: Sql): Sql =>
  duck`coalesce(list_bool_or(list_transform(${pairs}, lambda p: ${isOver})), false)`;

const overflow = (site: CallSite): Sql => raiseText(`double overflow: ${site.name}`, site.type);

const APART = duck`isfinite(p[1]) AND isfinite(p[2]) AND isinf((p[1] - p[2]) * (p[1] - p[2]))`;
const LONG = duck`isfinite(p[1]) AND isinf(p[1] * p[1]) OR isfinite(p[2]) AND (isinf(p[2] * p[2]) OR isfinite(p[1]) AND isinf(p[1] * p[2]))`;

/** https://cloud.google.com/bigquery/docs/reference/standard-sql/mathematical_functions#euclidean_distance */
export const DISTANCES: CallTranslators = {
  EUCLIDEAN_DISTANCE: distance((site, pairs, areFinite) =>
    withLocals(
      [total(pairs, duck`(p[1] - p[2]) * (p[1] - p[2])`)],
      (sum) => duck`CASE
        WHEN NOT isfinite(${sum}) AND (${areFinite} OR ${anyOverflow(pairs, APART)}) THEN ${overflow(site)} ELSE sqrt(${sum}) END`,
    ),
  ),
  COSINE_DISTANCE: distance((site, pairs, areFinite) =>
    withLocals(
      [total(pairs, duck`p[1] * p[2]`), total(pairs, duck`p[1] * p[1]`), total(pairs, duck`p[2] * p[2]`)],
      (product, left, right) => {
        const zero = raiseText('Cannot compute cosine distance against zero vector', site.type);
        return duck`CASE
          WHEN ${left} = 0 OR ${right} = 0 THEN ${zero}
          WHEN NOT isfinite(${product} + ${left} + ${right}) AND (${areFinite} OR ${anyOverflow(pairs, LONG)}) THEN ${overflow(site)}
          ELSE 1 - ${product} / (sqrt(${left}) * sqrt(${right})) END`;
      },
    ),
  ),
};
