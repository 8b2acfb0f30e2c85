import { invalidParameter, ServiceError } from '../../errors/service-error.ts';
import { severityExpression } from '../../severity/severity-expression.ts';
import { severityFields } from '../../severity/severity-fields.ts';
import { literal } from '../../sql/ast/build.ts';
import type { Expression } from '../../sql/ast/expression.ts';
import type { Query } from '../../sql/ast/query.ts';
import type { SandboxedQuery } from '../../sql/sandbox/consumer-query.ts';
import { findField, firstValue } from '../../sql/sandbox/entry-field.ts';
import { facetQuery, histogramQuery } from '../../sql/sandbox/entry-histogram.ts';
import { type AskedValue, type EntrySelection, selectEntries } from '../../sql/sandbox/entry-selection.ts';
import { nearestNames } from '../../sql/text/nearest-names.ts';
import type { Column } from '../../sql/types/sql-type.ts';
import type { EntryCount } from './entry-count.ts';

/** The sandbox that a query went through, with the query's parameters. */
export interface QuerySandbox {
  readonly sources: readonly string[];
  /** The columns of each source by its name. */
  readonly schemas: ReadonlyMap<string, readonly Column[]>;
  readonly compile: (query: Query) => SandboxedQuery;
}

/**
 * Compiles the query that counts the entries which a valid query selects. Throws a ServiceError (invalid_argument) for a query
 * whose rows are not entries of one source, and for a field that the source does not have.
 */
export function compileCount(query: Query, sandbox: QuerySandbox, count: EntryCount): SandboxedQuery {
  const asked = askedValue(sandbox, count);
  const counted = tryCount(query, sandbox, asked, (selection) =>
    count.kind === 'facet' ? facetQuery(selection) : histogramQuery(selection, count.seconds, 'severity'),
  );
  if (counted !== null) return counted.compiled;
  const { subject, instead } = REFUSED[count.kind];
  throw invalidParameter(
    count.kind,
    `${subject} only of queries whose rows are entries of one source, and this one's are not; leave '${count.kind}' out, or ${instead} in the query.`,
  );
}

const REFUSED = {
  histogram: { subject: 'There is a histogram', instead: 'count by time' },
  facet: { subject: 'There are facets', instead: 'count by the field' },
} as const;

/** The source whose entries a valid query selects; null for one of which there is no histogram. */
export function entriesOf(query: Query, sandbox: QuerySandbox): string | null {
  const none = () => null;
  return tryCount(query, sandbox, none, (selection) => histogramQuery(selection, 1))?.source ?? null;
}

function tryCount(
  query: Query,
  { sources, compile }: QuerySandbox,
  asked: AskedValue,
  count: (selection: EntrySelection) => Query,
): { readonly source: string; readonly compiled: SandboxedQuery } | null {
  const names = new Map(sources.map((name) => [name.toLowerCase(), name]));
  const selection = selectEntries(query, new Set(names.keys()), asked);
  const source = selection && names.get(selection.source.toLowerCase());
  if (!selection || source === undefined || source === null) return null;
  try {
    return { source, compiled: compile(count(selection)) };
  } catch (error) {
    // The source has no `timestamp` or `id` to count by, or a limit of the sandbox is reached.
    if (error instanceof ServiceError) return null;
    throw error;
  }
}

/** What is to be known of each entry, besides its time. */
function askedValue({ schemas }: QuerySandbox, count: EntryCount): AskedValue {
  const byName = new Map([...schemas].map(([name, columns]) => [name.toLowerCase(), columns]));
  return (source, row) => {
    const columns = byName.get(source.toLowerCase()) ?? [];
    if (count.kind === 'facet') return facetValue(columns, row, count.path, source);
    return count.bySeverity ? severityValue(columns, row) : null;
  };
}

function severityValue(columns: readonly Column[], row: string): Expression {
  const values = severityFields(columns).flatMap(({ path, kind }) => {
    const field = findField(columns, path);
    return field === null ? [] : [{ kind, value: firstValue(row, field) }];
  });
  return values.length === 0 ? NO_SEVERITY : severityExpression(values);
}

/** Of sources in which nothing says how serious an entry is. */
const NO_SEVERITY: Expression = {
  kind: 'cast',
  operand: literal('NULL', 'NULL'),
  type: { kind: 'scalar', name: 'STRING', at: 0 },
  safe: false,
  format: null,
  zone: null,
  at: 0,
};

function facetValue(columns: readonly Column[], row: string, path: string, source: string): Expression {
  const names = path.split('.');
  const field = findField(columns, names);
  if (field === null) {
    const leaves = leafPaths(columns);
    const near = nearestNames(path, leaves);
    const hint = near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`;
    throw invalidParameter('facet', `The source ${source} has no field ${path.slice(0, 200)}.${hint}`);
  }
  if (['ARRAY', 'STRUCT', 'JSON'].includes(field.type.kind)) {
    throw invalidParameter(
      'facet',
      `Parameter 'facet' accepts a field with one value, and ${path} of ${source} is a ${field.type.kind}.`,
    );
  }
  return firstValue(row, field);
}

function leafPaths(columns: readonly Column[], before = ''): readonly string[] {
  return columns.flatMap(({ name, type }) => {
    const element = type.kind === 'ARRAY' ? type.element : type;
    return element.kind === 'STRUCT' ? leafPaths(element.fields, `${before}${name}.`) : [`${before}${name}`];
  });
}
