import type {
  AliasedExpression,
  Cte,
  Direction,
  FromItem,
  GroupItem,
  PipeGroupItem,
  PipeOperator,
  PivotClause,
  Query,
  QueryBody,
  Select,
  SelectItem,
  SetOperator,
  UnpivotClause,
} from '../ast/query.ts';
import { direction, ExpressionPrinter, never, type PrintStyle, words } from './print-expression.ts';

/**
 * The GoogleSQL text of a syntax tree, on one line and without comments. It is exact: a tree that was parsed gives text that
 * parses to the same tree, but for the places.
 */
export function printQuery(query: Query, style: PrintStyle = 'plain'): string {
  return PRINTERS[style].query(query);
}

/** A query's text, and what it is made of. */
export interface PrintedQuery {
  readonly text: string;
  /** The entries of the outermost WITH, `name AS (query)`, in their order. */
  readonly ctes: readonly string[];
  /** Whether that is WITH RECURSIVE. */
  readonly recursive: boolean;
  /** What stands after WITH. */
  readonly rest: string;
}

/** The same with the parts of the text, so that a query can be put over more CTEs without being printed again. */
export function printParts(query: Query): PrintedQuery {
  return PRINTERS.plain.parts(query);
}

/** The text of a query over printed CTEs. */
export function joinParts({ ctes, recursive, rest }: Omit<PrintedQuery, 'text'>): string {
  return ctes.length === 0 ? rest : `WITH ${recursive ? 'RECURSIVE ' : ''}${ctes.join(', ')} ${rest}`;
}

class QueryPrinter extends ExpressionPrinter {
  query(query: Query): string {
    return this.parts(query).text;
  }

  parts({ body, orderBy, limit, offset, ...query }: Query): PrintedQuery {
    const ctes = query.ctes.map((cte) => this.#cte(cte));
    const rest = words(
      this.#body(body),
      this.orderBy(orderBy),
      limit !== null && `LIMIT ${this.expression(limit)}`,
      offset !== null && `OFFSET ${this.expression(offset)}`,
    );
    const recursive = query.recursive === true;
    return { text: joinParts({ ctes, recursive, rest }), ctes, recursive, rest };
  }

  #setOperator({ operator, distinct, match }: Omit<SetOperator, 'at'>): string {
    const all = distinct ? 'DISTINCT' : 'ALL';
    if (match === null) return `${operator} ${all}`;
    const { syntax, mode, on } = match;
    return words(
      mode !== null && mode !== 'STRICT' && mode,
      `${operator} ${all}`,
      mode === 'STRICT' && mode,
      syntax,
      on !== null && `${syntax === 'BY NAME' ? 'ON' : 'BY'} (${this.#names(on)})`,
    );
  }

  #cte({ name, query }: Cte): string {
    return `${this.name(name)} AS (${this.query(query)})`;
  }

  #body(body: QueryBody): string {
    switch (body.kind) {
      case 'query':
        return `(${this.query(body)})`;
      case 'select':
        return this.#select(body);
      case 'set-operation':
        return body.inputs.map((input) => this.#body(input)).join(` ${this.#setOperator(body)} `);
      case 'from-query':
        return `FROM ${this.#from(body.from)}`;
      case 'pipe':
        return `${this.#piped(body.input)} |> ${this.#pipe(body.operator)}`;
      default:
        return never(body);
    }
  }

  /** ORDER BY and LIMIT may stand before a pipe without parentheses, which are not allowed everywhere. */
  #piped(input: QueryBody): string {
    if (input.kind !== 'query' || input.ctes.length > 0) return this.#body(input);
    return input.orderBy.length > 0 || input.limit !== null ? this.query(input) : this.#body(input);
  }

  #select(select: Select): string {
    const { from, where, groupBy, having, qualify, windows } = select;
    return words(
      this.#selectList(select),
      from !== null && `FROM ${this.#from(from)}`,
      where !== null && `WHERE ${this.expression(where)}`,
      groupBy?.kind === 'all' && 'GROUP BY ALL',
      groupBy?.kind === 'items' &&
        `GROUP BY ${groupBy.items.map((item) => this.#groupItem(item)).join(', ')}`,
      having !== null && `HAVING ${this.expression(having)}`,
      qualify !== null && `QUALIFY ${this.expression(qualify)}`,
      windows.length > 0 &&
        `WINDOW ${windows.map(({ name, spec }) => `${this.name(name)} AS ${this.window(spec)}`).join(', ')}`,
    );
  }

  #selectList({ distinct, as, items }: Pick<Select, 'distinct' | 'as' | 'items'>): string {
    return words('SELECT', distinct && 'DISTINCT', as !== null && `AS ${as}`, this.#items(items));
  }

  #items(items: readonly SelectItem[]): string {
    return items.map((item) => this.#item(item)).join(', ');
  }

  #item(item: SelectItem): string {
    if (item.kind === 'expression') return this.expression(item.expression) + this.alias(item.alias);
    const replace = item.replace.map(
      ({ expression, name }) => this.expression(expression) + this.alias(name),
    );
    return words(
      item.kind === 'star' ? '*' : `${this.base(item.base)}.*`,
      item.except.length > 0 && `EXCEPT (${this.#names(item.except)})`,
      replace.length > 0 && `REPLACE (${replace.join(', ')})`,
    );
  }

  #names(columns: readonly { readonly name: string }[]): string {
    return columns.map(({ name }) => this.name(name)).join(', ');
  }

  #pipeGroupItem(item: PipeGroupItem): string {
    return item.kind === 'expression' ? this.#item(item) : this.#groupItem(item);
  }

  #groupItem(item: GroupItem): string {
    if (item.kind === 'expression') return this.expression(item.expression);
    const sets = item.sets.map((set) => {
      if ('kind' in set) return this.#groupItem(set);
      return set.length === 1 ? this.list(set) : `(${this.list(set)})`;
    });
    if (item.kind === 'sets' && sets.join() === '()') return '()';
    return `${item.kind === 'sets' ? 'GROUPING SETS' : item.kind.toUpperCase()} (${sets.join(', ')})`;
  }

  #from(item: FromItem): string {
    switch (item.kind) {
      case 'table':
        return item.path.map((name) => this.name(name)).join('.') + this.#rangeVariable(item);
      case 'unnest':
        return `UNNEST(${this.expression(item.array)})${this.#rangeVariable(item)}`;
      case 'table-subquery':
        return `(${this.query(item.query)})${this.alias(item.alias)}`;
      case 'pivot':
        return `${this.#from(item.from)} ${this.#pivot(item)}`;
      case 'unpivot':
        return `${this.#from(item.from)} ${this.#unpivot(item)}`;
      case 'join':
        if (item.join === 'COMMA') return `${this.#from(item.left)}, ${this.#joined(item.right)}`;
        return `${this.#from(item.left)} ${this.#join(item)}`;
      default:
        return never(item);
    }
  }

  #rangeVariable({ alias, offset }: Pick<Extract<FromItem, { kind: 'table' }>, 'alias' | 'offset'>): string {
    return this.alias(alias) + (offset === null ? '' : ` WITH OFFSET${this.alias(offset.alias)}`);
  }

  #joined(item: FromItem): string {
    return item.kind === 'join' ? `(${this.#from(item)})` : this.#from(item);
  }

  #join({
    join,
    right,
    on,
    using,
  }: Extract<PipeOperator, { kind: 'join' }> | Extract<FromItem, { kind: 'join' }>): string {
    return words(
      join !== 'INNER' && join,
      'JOIN',
      this.#joined(right),
      on !== null && `ON ${this.expression(on)}`,
      using !== null && `USING (${this.#names(using)})`,
    );
  }

  #pivot({ aggregates, input, values, alias }: PivotClause & { readonly alias: string | null }): string {
    const list = (items: readonly AliasedExpression[]) =>
      items.map((one) => this.expression(one.expression) + this.alias(one.alias)).join(', ');
    return `PIVOT(${list(aggregates)} FOR ${this.operand(input)} IN (${list(values)}))${this.alias(alias)}`;
  }

  #unpivot(clause: UnpivotClause & { readonly alias: string | null }): string {
    const { nulls, values, name, groups, alias } = clause;
    const group = (items: readonly string[]) => (items.length === 1 ? items[0] : `(${items.join(', ')})`);
    const columns = groups.map(({ columns, label }) => {
      const list = group(columns.map((column) => this.expression(column)));
      return label === null ? list : `${list} AS ${this.expression(label)}`;
    });
    const option = nulls === null ? '' : `${nulls} NULLS `;
    const names = group(values.map((value) => this.name(value)));
    return `UNPIVOT ${option}(${names} FOR ${this.name(name)} IN (${columns.join(', ')}))${this.alias(alias)}`;
  }

  #pipe(step: PipeOperator): string {
    switch (step.kind) {
      case 'select':
        return this.#selectList(step);
      case 'extend':
      case 'window':
        return `${step.kind.toUpperCase()} ${this.#items(step.items)}`;
      case 'with':
        return `WITH ${step.ctes.map((cte) => this.#cte(cte)).join(', ')}`;
      case 'set':
        return `SET ${step.items.map(({ name, value }) => `${this.name(name)} = ${this.expression(value)}`).join(', ')}`;
      case 'drop':
        return `DROP ${this.#names(step.names)}`;
      case 'rename':
        return `RENAME ${step.names.map(({ from, to }) => this.name(from) + this.alias(to)).join(', ')}`;
      case 'as':
        return `AS ${this.name(step.alias)}`;
      case 'where':
        return `WHERE ${this.expression(step.condition)}`;
      case 'limit':
        return words(
          `LIMIT ${this.expression(step.limit)}`,
          step.offset !== null && `OFFSET ${this.expression(step.offset)}`,
        );
      case 'distinct':
        return 'DISTINCT';
      case 'aggregate': {
        const items = step.items.map((item, index) => this.#item(item) + suffix(step.itemOrders[index]));
        const keys = step.groupBy.map(
          (key, index) => this.#pipeGroupItem(key) + suffix(step.keyOrders[index]),
        );
        const group = `GROUP ${step.sortGroups ? 'AND ORDER ' : ''}BY ${keys.join(', ')}`;
        return words('AGGREGATE', items.join(', '), keys.length > 0 && group);
      }
      case 'pivot':
        return this.#pivot(step);
      case 'unpivot':
        return this.#unpivot(step);
      case 'order':
        return this.orderBy(step.orderBy) || '';
      case 'join':
        return this.#join(step);
      case 'set-operation': {
        const inputs = step.inputs.map((input) =>
          input.kind === 'query' ? this.#body(input) : `(${this.#body(input)})`,
        );
        return `${this.#setOperator(step)} ${inputs.join(', ')}`;
      }
      default:
        return never(step);
    }
  }
}

const PRINTERS: Readonly<Record<PrintStyle, QueryPrinter>> = {
  plain: new QueryPrinter('plain'),
  explicit: new QueryPrinter('explicit'),
};

/** The order after an item of AGGREGATE: ASC sorts, too, by what is not sorted by without. */
function suffix(order: Direction | null | undefined): string {
  if (order === null || order === undefined) return '';
  return (order.descending ? '' : ' ASC') + direction(order);
}
