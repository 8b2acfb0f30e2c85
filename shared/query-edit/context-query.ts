import { invalidParameter } from '../errors/service-error.ts';
import { anyValue } from '../lql/nested-condition.ts';
import {
  binary,
  call,
  column,
  integer,
  literal,
  path,
  query as queryOf,
  select,
  sortedBy,
  table,
} from '../sql/ast/build.ts';
import type { Expression } from '../sql/ast/expression.ts';
import type { Query, QueryBody } from '../sql/ast/query.ts';
import { printQuery } from '../sql/print/print-query.ts';
import { findField } from '../sql/sandbox/entry-field.ts';
import type { Column } from '../sql/types/sql-type.ts';
import { formatMicros } from '../time/iso-timestamp.ts';
import type { Sources } from './condition.ts';
import { formatSql } from './format-sql.ts';

/** How many entries are shown before an entry, and after it. */
const ENTRIES_EACH_WAY = 50;
const MAX_RELATED = 200;
const COLUMNS = ['id', 'timestamp', 'event_message', 'metadata'];
/** Fields that carry the id of a request from one source to another, in lower case and without underscores. */
const REQUEST_IDS = new Set(
  'requestid xrequestid sbrequestid reqid cfray rayid traceid correlationid executionid'.split(' '),
);
/** In the generated queries: names that no source has. */
const ROW = 't';

/**
 * GoogleSQL for what came before and after an entry of a source, the latest first. Throws a ServiceError (invalid_argument) for a
 * source that there is not, or that has no times.
 */
export function aroundSql(source: string, micros: bigint, sources: Sources): string {
  const columns = sources.get(source) ?? [];
  if (!has(columns, 'timestamp')) {
    throw invalidParameter('source', `There is no source ${source.slice(0, 100)} with a timestamp.`);
  }
  const at = literal('TIMESTAMP', formatMicros(micros));
  const items = COLUMNS.filter((name) => has(columns, name)).map((name) => column(path(name)));
  const side = (operator: '<=' | '>'): Query =>
    queryOf(select(items, { from: table([source]), where: binary(path('timestamp'), operator, at) }), {
      orderBy: [sortedBy(path('timestamp'), operator === '<=')],
      limit: integer(ENTRIES_EACH_WAY),
    });
  return laidOut(unionOf([side('<='), side('>')]));
}

/**
 * GoogleSQL for the entries of all sources that carry one of some request ids, in a field for such ids or in their message. Throws a
 * ServiceError (invalid_argument).
 */
export function relatedSql(ids: readonly string[], sources: Sources): string {
  const parts = [...sources].flatMap(([source, columns]): readonly Query[] => {
    const conditions = ids.flatMap((id) => idConditions(columns, literal('STRING', id)));
    const [first, ...rest] = conditions;
    if (first === undefined || !has(columns, 'timestamp')) return [];
    const where = rest.reduce((left, right) => binary(left, 'OR', right), first);
    const items = [
      column(literal('STRING', source), 'source'),
      ...['id', 'timestamp', 'event_message']
        .filter((name) => has(columns, name))
        .map((name) => column(path(ROW, name))),
    ];
    return items.length === 4 ? [queryOf(select(items, { from: table([source], ROW), where }))] : [];
  });
  if (parts.length === 0) throw invalidParameter('ids', 'No source has entries with request ids.');
  return laidOut(unionOf(parts, MAX_RELATED));
}

function idConditions(columns: readonly Column[], id: Expression): readonly Expression[] {
  const equal = idPaths(columns).flatMap((names) => {
    const field = findField(columns, names);
    if (field === null) return [];
    return [anyValue(ROW, { ...field, path: names.join('.') }, (leaf) => binary(leaf, '=', id)).expression];
  });
  const message = has(columns, 'event_message')
    ? [binary(call('STRPOS', path(ROW, 'event_message'), id), '>', integer(0))]
    : [];
  return [...equal, ...message];
}

/** The paths of the text fields that hold ids of requests. */
function idPaths(columns: readonly Column[], before: readonly string[] = []): readonly (readonly string[])[] {
  return columns.flatMap(({ name, type }) => {
    const here = [...before, name];
    const element = type.kind === 'ARRAY' ? type.element : type;
    if (element.kind === 'STRUCT') return idPaths(element.fields, here);
    const isId = type.kind === 'STRING' && REQUEST_IDS.has(name.toLowerCase().replaceAll('_', ''));
    return isId ? [here] : [];
  });
}

function unionOf(inputs: readonly QueryBody[], limit: number | null = null): Query {
  const body: QueryBody = {
    kind: 'set-operation',
    operator: 'UNION',
    distinct: false,
    match: null,
    inputs,
    at: 0,
  };
  const [only] = inputs;
  return queryOf(inputs.length === 1 && only !== undefined ? only : body, {
    orderBy: [sortedBy(path('timestamp'), true)],
    ...(limit === null ? {} : { limit: integer(limit) }),
  });
}

function laidOut(query: Query): string {
  return formatSql(printQuery(query));
}

function has(columns: readonly Column[], name: string): boolean {
  return columns.some((one) => one.name === name);
}
