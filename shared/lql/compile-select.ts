import { column, path, table } from '../sql/ast/build.ts';
import type { Expression } from '../sql/ast/expression.ts';
import type { FromItem, SelectItem } from '../sql/ast/query.ts';
import type { CompileContext } from './compile-filter.ts';
import { lqlError } from './lql-error.ts';
import { MAX_ALIAS_LENGTH } from './lql-limits.ts';
import { valueOffset } from './path-clause.ts';
import { RecordJoins } from './record-joins.ts';
import { isRecord, resolvePath } from './resolve-path.ts';
import type { SelectAllClause, SelectClause } from './tree.ts';

/** The select list of a query, and its source with the joins that the list needs. */
export interface CompiledColumns {
  readonly items: readonly SelectItem[];
  readonly from: FromItem;
}

const DEFAULT_COLUMNS = ['id', 'timestamp', 'event_message', 'metadata'];

/** What a column is called: its alias, or the path with underscores for its dots. */
export function columnName({ path, alias }: SelectClause): string {
  return alias ?? path.replaceAll('.', '_');
}

/** The source under the name of its rows. */
export function sourceOf({ source, row }: CompileContext): FromItem {
  return table([source.name], row);
}

/** Compiles `s:` clauses one by one, from left to right. */
export class ColumnsCompiler {
  readonly #context: CompileContext;
  readonly #joins: RecordJoins;
  readonly #columns = new Map<string, { readonly name: string; readonly value: Expression }>();
  #hasAll = false;

  constructor(context: CompileContext) {
    this.#context = context;
    this.#joins = new RecordJoins(context.row);
  }

  /** Throws a ServiceError (invalid_argument: unknown_field, unsupported) with the place. */
  add(clause: SelectClause | SelectAllClause): void {
    if (clause.kind === 'select_all') {
      this.#hasAll = true;
      return;
    }
    const { text, source } = this.#context;
    const { path } = clause;
    const at = valueOffset(text, clause.at);
    const resolved = resolvePath(text, at, source, path);
    if (isRecord(resolved.type) && path.includes('.')) {
      throw lqlError(text, at, 'unsupported', `s: needs a field, ${path} is a record`);
    }
    if (this.#columns.has(path)) return;
    const name = columnName(clause);
    this.#checkName(clause, name);
    this.#columns.set(path, { name, value: this.#joins.field(resolved) });
  }

  /** The columns that were asked for; the four that events have where none were, or `s:*` was. */
  finish(): CompiledColumns {
    if (this.#hasAll || this.#columns.size === 0) {
      const { row, source } = this.#context;
      const names = DEFAULT_COLUMNS.filter((name) => source.columns.some((column) => column.name === name));
      const shown = names.length === 0 ? source.columns.map(({ name }) => name) : names;
      return { items: shown.map((name) => column(path(row, name))), from: sourceOf(this.#context) };
    }
    const items = [...this.#columns.values()].map(({ name, value }) => column(value, name));
    return { items, from: this.#joins.from(sourceOf(this.#context)) };
  }

  #checkName(clause: SelectClause, name: string): void {
    const { text } = this.#context;
    const at = nameOffset(text, clause);
    if (name.length > MAX_ALIAS_LENGTH) {
      const message = `the name of a column has ${MAX_ALIAS_LENGTH} characters at most, give it a shorter alias`;
      throw lqlError(text, at, 'unsupported', message);
    }
    const key = name.toLowerCase();
    if ([...this.#columns.values()].some((column) => column.name.toLowerCase() === key)) {
      const message = `two columns are called ${name}, give one of them another alias with @`;
      throw lqlError(text, at, 'unsupported', message);
    }
  }
}

/** Where the name of a column is written: its alias, else its path. */
function nameOffset(text: string, { at, alias }: SelectClause): number {
  const path = valueOffset(text, at);
  return alias === null ? path : text.indexOf('@', path) + 1;
}
