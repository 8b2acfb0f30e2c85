import type { FunctionSpec } from '../../../shared/sql/functions/signature.ts';
import { INT64 } from '../../../shared/sql/types/sql-type.ts';
import { callTo, type GeneratedCall } from './calls.ts';
import { expression } from './expressions.ts';
import type { Scope } from './scope.ts';
import { optional, type SqlTree, sequence } from './sql-tree.ts';

const STARTS = ['UNBOUNDED PRECEDING', '2 PRECEDING', '1 PRECEDING', 'CURRENT ROW', '1 FOLLOWING'];
const ENDS = ['1 PRECEDING', 'CURRENT ROW', '1 FOLLOWING', '2 FOLLOWING', 'UNBOUNDED FOLLOWING'];

/** A call with OVER; the rows of its window have one order wherever the answer depends on it. */
export function windowColumn(
  spec: FunctionSpec,
  scope: Scope,
): GeneratedCall & { readonly isUnordered: boolean; readonly clause: SqlTree } {
  const { random } = scope;
  // The window stands in the call, or in the query's WINDOW clause.
  const isNamed = random.chance(0.2);
  let clause: SqlTree = '';
  const overOf = (distinct: boolean): SqlTree => {
    const window = over(spec, scope, distinct);
    if (!isNamed) return sequence(' OVER ', window);
    clause = sequence(' WINDOW w AS ', window);
    return random.chance(0.5) ? ' OVER w' : ' OVER (w)';
  };
  if (spec.name === '$COUNT_STAR') {
    const call = callTo(spec, scope);
    const parts: SqlTree[] = ['COUNT(*)', overOf(false)];
    return {
      ...call,
      tree: { kind: 'parts', parts, type: INT64, calls: spec.name },
      isUnordered: false,
      clause,
    };
  }
  let isUnordered = false;
  const call = callTo(spec, scope, () => {
    const distinct = spec.allowsDistinct && random.chance(0.15);
    const inside: SqlTree[] = [];
    const having = spec.allowsHaving && random.chance(0.5);
    if (having) inside.push(` HAVING ${random.pick(['MAX', 'MIN'])} id`);
    if (spec.allowsNulls && random.chance(0.5)) inside.push(` ${random.pick(['IGNORE', 'RESPECT'])} NULLS`);
    isUnordered = spec.kind === 'aggregate' && spec.name === 'ARRAY_AGG';
    return { before: distinct ? 'DISTINCT ' : '', inside, after: [overOf(distinct)] };
  });
  return { ...call, isUnordered, clause };
}

function over(spec: FunctionSpec, scope: Scope, distinct: boolean): SqlTree {
  const { random } = scope;
  const partition = random.chance(0.4) ? optional('PARTITION BY ', expression(INT64, scope)) : '';
  // Ranks and default frames are the same for rows that tie; all else needs one order.
  const ties = /^(RANK|DENSE_RANK|PERCENT_RANK|CUME_DIST|SUM|COUNT|MAX|MIN|\$COUNT_STAR)$/.test(spec.name);
  const direction = random.pick(['', ' DESC', ' ASC NULLS LAST', ' DESC NULLS FIRST']);
  const numbers = scope.columns.filter(
    ({ name, type }) => name !== 'id' && /^(INT64|FLOAT64|NUMERIC)$/.test(type.kind),
  );
  const tied = numbers.length === 0 ? undefined : random.pick(numbers);
  const key = ties && tied !== undefined && random.chance(0.5) ? tied.name : 'id';
  const needsOrder = spec.needsOrder || /^(ROW_NUMBER|STRING_AGG|ANY_VALUE|ARRAY_AGG)$/.test(spec.name);
  const hasOrder = spec.allowsWindowOrder && !distinct && (needsOrder || random.chance(0.6));
  const order: SqlTree = hasOrder ? ` ORDER BY ${key}${direction}` : '';
  const framed = hasOrder && spec.allowsFrame && random.chance(0.6);
  const units = key === 'id' && random.chance(0.6) ? 'ROWS' : 'RANGE';
  const frame = framed ? optional(` ${units} BETWEEN ${random.pick(STARTS)} AND ${random.pick(ENDS)}`) : '';
  return sequence('(', partition, order, frame, ')');
}
