import { invalidParameter, ServiceError } from '../../errors/service-error.ts';
import type { Query } from '../../sql/ast/query.ts';
import type { SandboxedQuery } from '../../sql/sandbox/consumer-query.ts';
import { histogramQuery } from '../../sql/sandbox/entry-histogram.ts';
import { selectEntries } from '../../sql/sandbox/entry-selection.ts';

/** The sandbox that a query went through, with the query's parameters. */
export interface QuerySandbox {
  readonly sources: readonly string[];
  readonly compile: (query: Query) => SandboxedQuery;
}

/**
 * Compiles the query that counts the entries which a valid query selects, by spans of so many seconds. Throws a
 * ServiceError (invalid_argument) for a query whose rows are not entries of one source.
 */
export function compileHistogram(query: Query, sandbox: QuerySandbox, seconds: number): SandboxedQuery {
  const histogram = tryHistogram(query, sandbox, seconds);
  if (histogram !== null) return histogram.compiled;
  throw invalidParameter(
    'histogram',
    "There is a histogram only of queries whose rows are entries of one source, and this one's are not; leave 'histogram' out, or count by time in the query.",
  );
}

/** The source whose entries a valid query selects; null for one of which there is no histogram. */
export function entriesOf(query: Query, sandbox: QuerySandbox): string | null {
  return tryHistogram(query, sandbox, 1)?.source ?? null;
}

function tryHistogram(
  query: Query,
  { sources, compile }: QuerySandbox,
  seconds: number,
): { readonly source: string; readonly compiled: SandboxedQuery } | null {
  const names = new Map(sources.map((name) => [name.toLowerCase(), name]));
  const selection = selectEntries(query, new Set(names.keys()));
  const source = selection && names.get(selection.source.toLowerCase());
  if (!selection || source === undefined || source === null) return null;
  try {
    return { source, compiled: compile(histogramQuery(selection, seconds)) };
  } catch (error) {
    // The source has no `timestamp` or `id` to count by, or a limit of the sandbox is reached.
    if (error instanceof ServiceError) return null;
    throw error;
  }
}
