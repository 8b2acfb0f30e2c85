import { invalidParameter } from '../errors/service-error.ts';
import { identifier } from '../sql/print/quote.ts';
import type { Sources, ValueFilter } from './condition.ts';
import { aroundSql, relatedSql } from './context-query.ts';
import { formatSql } from './format-sql.ts';
import { filterLql, formatLql } from './lql-filter.ts';
import { lqlToSql } from './lql-to-sql.ts';
import { filterSql } from './sql-filter.ts';

/** A query as a person has written it; an empty text stands for the endpoint's own. */
export interface WrittenQuery {
  readonly language: 'sql' | 'lql';
  readonly query: string;
  /** The source whose newest entries an empty text stands for; null for the endpoint's first one. */
  readonly source: string | null;
}

/** What is done to a query. */
export type Edit = WrittenQuery &
  (
    | ({ readonly action: 'filter' } & ValueFilter)
    | { readonly action: 'format' }
    | { readonly action: 'to_sql' }
    | { readonly action: 'around'; readonly micros: string }
    | { readonly action: 'related'; readonly ids: readonly string[] }
  );

/** A query after it. Throws a ServiceError (invalid_argument) with what to change. */
export function editQuery(edit: Edit, sources: Sources, nowMicros: bigint): Omit<WrittenQuery, 'source'> {
  const { language } = edit;
  const query = edit.query.trim() === '' ? beginning(edit, sources) : edit.query;
  switch (edit.action) {
    case 'filter':
      return {
        language,
        query: language === 'sql' ? filterSql(query, edit, sources) : filterLql(query, edit, sources),
      };
    case 'format':
      return { language, query: language === 'sql' ? formatSql(query) : formatLql(query) };
    case 'to_sql':
      if (language === 'lql') return { language: 'sql', query: lqlToSql(query, sources, nowMicros) };
      throw invalidParameter('language', 'The query is in GoogleSQL already.');
    case 'around':
      return { language: 'sql', query: aroundSql(edit.source ?? '', BigInt(edit.micros), sources) };
    case 'related':
      return { language: 'sql', query: relatedSql(edit.ids, sources) };
    default: {
      const unreachable: never = edit;
      throw new TypeError(`edit ${JSON.stringify(unreachable)}`);
    }
  }
}

const COLUMNS = ['id', 'timestamp', 'event_message', 'metadata'];

/** The newest entries of a source: what stands for an empty text. */
function beginning({ language, source: wanted }: WrittenQuery, sources: Sources): string {
  const found = [...sources].find(([name]) => name === wanted) ?? [...sources][0];
  const [source = '', columns = []] = found ?? [];
  if (language === 'lql') return `f:${source}`;
  const present = COLUMNS.filter((name) => columns.some((column) => column.name === name));
  const order = present.includes('timestamp') ? '\nORDER BY timestamp DESC' : '';
  return `SELECT ${present.length === 0 ? '*' : present.join(', ')}\nFROM ${identifier(source)}${order}\nLIMIT 100`;
}
