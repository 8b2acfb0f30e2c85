import type { FunctionSpec } from '../../../shared/sql/functions/signature.ts';
import { callTo, type GeneratedCall } from './calls.ts';
import type { Scope } from './scope.ts';
import { optional, type SqlTree, sequence } from './sql-tree.ts';

/** Functions whose array has no order unless the call says one. */
const COLLECTS = /^(ARRAY_AGG|STRING_AGG|ARRAY_CONCAT_AGG)$/;
const UNORDERED = /^(APPROX_TOP_COUNT|APPROX_TOP_SUM)$/;

/** A call of an aggregate function, with the clauses that it may have. */
export function aggregateColumn(
  spec: FunctionSpec,
  scope: Scope,
): GeneratedCall & { readonly isUnordered: boolean } {
  const { random } = scope;
  const isUnordered = UNORDERED.test(spec.name);
  if (spec.name === '$COUNT_STAR') {
    const call = callTo(spec, scope);
    return {
      ...call,
      tree: { kind: 'parts', parts: ['COUNT(*)'], type: call.type, calls: spec.name },
      isUnordered,
    };
  }
  const call = callTo(spec, scope, ([first = 'NULL']) => {
    const distinct = spec.allowsDistinct && random.chance(0.2);
    const inside: SqlTree[] = [];
    if (spec.allowsNulls && random.chance(0.5)) inside.push(` ${random.pick(['IGNORE', 'RESPECT'])} NULLS`);
    if (spec.allowsHaving) inside.push(` HAVING ${random.pick(['MAX', 'MIN'])} id`);
    const direction = random.pick(['', ' DESC', ' ASC']);
    if (spec.allowsOrderBy)
      inside.push(distinct ? sequence(' ORDER BY ', first, direction) : ` ORDER BY id${direction}`);
    if (spec.allowsLimit && random.chance(0.3))
      inside.push(optional(` LIMIT ${random.pick(['0', '1', '2', '100'])}`));
    return { before: distinct ? 'DISTINCT ' : '', inside };
  });
  return { ...call, isUnordered: isUnordered || (COLLECTS.test(spec.name) && !spec.allowsOrderBy) };
}
