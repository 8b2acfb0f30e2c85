import type { Expression } from '../ast/expression.ts';
import type { FromItem, TablePath, TableSubquery, WithOffset } from '../ast/query.ts';
import type { ResolvedExpression } from '../resolved/expression.ts';
import { INT64, typeText } from '../types/sql-type.ts';
import { analysisError, type Environment, newColumn } from './environment.ts';
import { plainContext } from './expression-context.ts';
import { type From, NO_FROM } from './from.ts';
import { resolveExpression } from './resolve-expression.ts';
import { resolveJoin } from './resolve-join.ts';
import { resolvePivot } from './resolve-pivot.ts';
import { resolveQuery } from './resolve-query.ts';
import { resolveTable } from './resolve-table.ts';
import { resolveUnpivot } from './resolve-unpivot.ts';
import { type FromNames, lookUp, namesOf, type RangeVariable, type Scope } from './scope.ts';

/** How an item's rows are joined to those on its left. */
export interface Attachment {
  readonly left: From;
  /** LEFT JOIN: rows of the left without a match stay. */
  readonly outer: boolean;
}

/** Resolves a FROM clause by itself. */
export function resolveFrom(environment: Environment, item: FromItem): From {
  return resolveFromItem(environment, item, { left: NO_FROM, outer: false });
}

/**
 * Resolves one item of FROM. An array item (UNNEST, or a path) may refer to the names on its left: its rows come
 * already joined to them, which `joined` says; all other items come by themselves.
 */
export function resolveFromItem(environment: Environment, item: FromItem, attachment: Attachment): From {
  switch (item.kind) {
    case 'join':
      return resolveJoin(environment, item);
    case 'table-subquery':
      return resolveTableSubquery(environment, item);
    case 'pivot':
    case 'unpivot': {
      if (isArrayItem(environment, item.from, attachment.left.names))
        throw analysisError(
          environment,
          item.at,
          `${item.kind.toUpperCase()} is not allowed with array scans`,
        );
      const rows = resolveFrom(environment, item.from);
      return item.kind === 'pivot'
        ? resolvePivot(environment, rows, item, item.alias, item.at)
        : resolveUnpivot(environment, rows, item, item.alias, item.at);
    }
    case 'unnest':
      return resolveUnnest(environment, item, item.array, item.alias, attachment);
    case 'table':
      return isArrayPath(environment, item, attachment.left.names)
        ? resolveUnnest(
            environment,
            item,
            pathExpression(item),
            item.alias ?? item.path.at(-1) ?? null,
            attachment,
          )
        : resolveTable(environment, item);
    default: {
      const unreachable: never = item;
      throw new TypeError(`from ${JSON.stringify(unreachable)}`);
    }
  }
}

/** Whether an item's rows come joined to what is on its left. */
export function isArrayItem(environment: Environment, item: FromItem, left: FromNames): boolean {
  return item.kind === 'unnest' || (item.kind === 'table' && isArrayPath(environment, item, left));
}

/**
 * A path of several names that starts at a range variable or column is an array; one name alone is a table. Where no
 * table may be named it has to start at a range variable, as GoogleSQL's parser could take any other for a table.
 */
function isArrayPath(environment: Environment, { path }: TablePath, left: FromNames): boolean {
  const [first] = path;
  if (path.length < 2 || first === undefined) return false;
  const target = lookUp({ names: left, outer: environment.outer }, first);
  return environment.catalog.dataset === null ? target?.kind === 'range' : target !== null;
}

function pathExpression({ path, at }: TablePath): Expression {
  const [first = '', ...rest] = path;
  return rest.reduce<Expression>((base, name) => ({ kind: 'field', base, name, at }), {
    kind: 'name',
    name: first,
    at,
  });
}

function resolveUnnest(
  environment: Environment,
  item: { readonly offset: WithOffset | null; readonly at: number },
  arrayExpression: Expression,
  alias: string | null,
  { left, outer }: Attachment,
): From {
  const scope: Scope = { names: left.names, outer: environment.outer };
  const array = resolveExpression(plainContext(environment, scope, 'UNNEST'), arrayExpression);
  const element = elementColumn(environment, array, alias, arrayExpression.at);
  const offset = item.offset === null ? null : newColumn(environment, item.offset.alias, INT64);
  const ranges: RangeVariable[] = [{ kind: 'value', alias, column: element }];
  if (offset !== null) ranges.push({ kind: 'value', alias: offset.name, column: offset });
  return {
    scan: { kind: 'unnest', input: left.scan, array, element, offset, outer },
    names: namesOf(...ranges),
  };
}

function elementColumn(
  environment: Environment,
  array: ResolvedExpression,
  alias: string | null,
  at: number,
) {
  if (array.type.kind !== 'ARRAY') {
    const found = typeText(array.type);
    throw analysisError(
      environment,
      at,
      `Values referenced in UNNEST must be arrays. UNNEST contains expression of type ${found}`,
    );
  }
  return newColumn(environment, alias ?? '', array.type.element);
}

function resolveTableSubquery(environment: Environment, { query, alias }: TableSubquery): From {
  const resolved = resolveQuery(environment, query);
  const [only] = resolved.columns;
  const range: RangeVariable =
    resolved.isValueTable && only !== undefined
      ? { kind: 'value', alias, column: only.column }
      : { kind: 'columns', alias, columns: resolved.columns };
  return { scan: resolved.scan, names: namesOf(range) };
}
