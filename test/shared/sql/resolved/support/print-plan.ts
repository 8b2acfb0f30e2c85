import { conjuncts } from '../../../../../shared/sql/resolved/conjuncts.ts';
import type {
  ResolvedAggregate,
  ResolvedColumn,
  ResolvedExpression,
  ResolvedFrameBound,
  ResolvedSubquery,
  ResolvedWindow,
} from '../../../../../shared/sql/resolved/expression.ts';
import type {
  ComputedColumn,
  ResolvedCte,
  ResolvedScan,
  SortKey,
} from '../../../../../shared/sql/resolved/scan.ts';
import { PlanNames, printName } from './plan-names.ts';
import { printExpression } from './print-expression.ts';

/**
 * A plan as text for people and for comparing: a scan a line, its inputs indented below it, its expressions on lines that
 * begin with `|`. Equal plans have equal texts, whatever ids their columns have. Each subquery stands under the
 * scan whose expression has it, and each CTE once, at the end. `names` gives several plans the same numbers for the
 * same columns.
 */
export function printPlan(plan: ResolvedScan, names: PlanNames = new PlanNames()): string {
  return new PlanPrinter(names).print(plan).join('\n');
}

type Lines = readonly string[];

class PlanPrinter {
  readonly #names: PlanNames;
  /** The CTEs in the order in which the text names them. */
  readonly #ctes = new Map<number, ResolvedCte>();
  #subqueries = 0;

  constructor(names: PlanNames) {
    this.#names = names;
  }

  print(plan: ResolvedScan): Lines {
    const lines = [...this.#scan(plan)];
    // A CTE may read others, which come to the end of the list while it is gone through.
    for (const cte of this.#ctes.values()) {
      lines.push(
        `With ${this.#names.cte(cte)}: ${this.#columns(cte.columns)}`,
        ...indented(this.#scan(cte.scan)),
      );
    }
    return lines;
  }

  #scan(scan: ResolvedScan): Lines {
    switch (scan.kind) {
      case 'single-row':
        return ['SingleRow'];
      case 'table':
        return [`Table ${printName(scan.table)}: ${this.#columns(scan.columns)}`];
      case 'cte':
        this.#ctes.set(scan.cte.id, this.#ctes.get(scan.cte.id) ?? scan.cte);
        return [`Cte ${this.#names.cte(scan.cte)}: ${this.#columns(scan.columns)}`];
      case 'filter':
        return this.#node('Filter', [scan.input], (print) => {
          return conjuncts(scan.condition).map((one, index) => `${index === 0 ? '' : 'AND '}${print(one)}`);
        });
      case 'project':
        return this.#node('Project', [scan.input], (print) => this.#computed(scan.computed, print));
      case 'unnest':
        return this.#node(scan.outer ? 'OuterUnnest' : 'Unnest', [scan.input], (print) => {
          const offset = scan.offset === null ? '' : ` WITH OFFSET ${this.#names.column(scan.offset)}`;
          return [`${this.#names.column(scan.element)} := ${print(scan.array)}${offset}`];
        });
      case 'join':
        return this.#node(`Join ${scan.join}`, [scan.left, scan.right], (print) => {
          return scan.condition === null ? [] : [`ON ${print(scan.condition)}`];
        });
      case 'aggregate':
        return this.#node('Aggregate', [scan.input], (print) => [
          ...this.#computed(scan.keys, print).map((key) => `BY ${key}`),
          ...(scan.sets === null
            ? []
            : [`SETS ${scan.sets.map((set) => `(${set.map((key) => key + 1).join(', ')})`).join(', ')}`]),
          ...scan.aggregates.map(
            (aggregate) => `${this.#names.column(aggregate.column)} := ${aggregateText(aggregate, print)}`,
          ),
        ]);
      case 'window':
        return this.#node('Window', [scan.input], (print) =>
          scan.windows.map(
            (window) => `${this.#names.column(window.column)} := ${windowText(window, print)}`,
          ),
        );
      case 'working-table':
        return this.#node('WorkingTable', [], () => scan.columns.map((column) => this.#names.column(column)));
      case 'order':
        return this.#node(`Order`, [scan.input], (print) => scan.keys.map((key) => sortKeyText(key, print)));
      case 'limit':
        return this.#node('Limit', [scan.input], (print) => {
          return [`${print(scan.limit)}${scan.offset === null ? '' : ` OFFSET ${print(scan.offset)}`}`];
        });
      case 'set-operation':
        return this.#node(
          `${scan.recursion === undefined ? '' : 'Recursive '}${scan.operator} ${scan.distinct ? 'DISTINCT' : 'ALL'}`,
          scan.inputs.map((input) => input.scan),
          () =>
            scan.columns.map((column, index) => {
              const all = [column, ...scan.inputs.map(({ columns }) => columns[index] ?? column)];
              const [name, ...parts] = all.map((one) => this.#names.column(one));
              return `${name} := ${parts.join(', ')}`;
            }),
        );
      default: {
        const unreachable: never = scan;
        throw new TypeError(`scan ${JSON.stringify(unreachable)}`);
      }
    }
  }

  /** A scan with its details, the subqueries in them, and its inputs. */
  #node(title: string, inputs: readonly ResolvedScan[], describe: (print: Print) => Lines): Lines {
    const subqueries: { readonly name: string; readonly scan: ResolvedScan }[] = [];
    const subquery = ({ scan }: ResolvedSubquery) => {
      this.#subqueries++;
      const name = `subquery ${this.#subqueries}`;
      subqueries.push({ name, scan });
      return name;
    };
    const names = { column: (column: ResolvedColumn) => this.#names.column(column), subquery };
    const details = describe((expression) => printExpression(expression, names));
    const nested = subqueries.flatMap(({ name, scan }) => [`${name}:`, ...indented(this.#scan(scan))]);
    return [
      title,
      ...[...details, ...nested].map((line) => `| ${line}`),
      ...inputs.flatMap((input) => indented(this.#scan(input))),
    ];
  }

  #computed(computed: readonly ComputedColumn[], print: Print): Lines {
    return computed.map(({ column, expression }) => `${this.#names.column(column)} := ${print(expression)}`);
  }

  #columns(columns: readonly ResolvedColumn[]): string {
    return columns.map((column) => this.#names.column(column)).join(', ');
  }
}

type Print = (expression: ResolvedExpression) => string;

function indented(lines: Lines): Lines {
  return lines.map((line) => `  ${line}`);
}

/** A key with what differs from GoogleSQL's rule that NULL is the least value. */
function sortKeyText({ expression, descending, nullsFirst }: SortKey, print: Print): string {
  const nulls = nullsFirst === descending ? ` NULLS ${nullsFirst ? 'FIRST' : 'LAST'}` : '';
  return `${print(expression)}${descending ? ' DESC' : ''}${nulls}`;
}

function sortKeysText(keys: readonly SortKey[], print: Print): string {
  return `ORDER BY ${keys.map((key) => sortKeyText(key, print)).join(', ')}`;
}

function aggregateText(aggregate: ResolvedAggregate, print: Print): string {
  const { name, distinct, nulls, having, orderBy, limit } = aggregate;
  const clauses = [
    aggregate.arguments.map(print).join(', '),
    nulls === null ? '' : `${nulls} NULLS`,
    having === null ? '' : `HAVING ${having.bound} ${print(having.expression)}`,
    orderBy.length === 0 ? '' : sortKeysText(orderBy, print),
    limit === null ? '' : `LIMIT ${limit}`,
  ];
  return `${name}(${distinct ? 'DISTINCT ' : ''}${clauses.filter((clause) => clause !== '').join(' ')})`;
}

function windowText(window: ResolvedWindow, print: Print): string {
  const { name, distinct, nulls, partitionBy, orderBy, frame } = window;
  const values = `${distinct ? 'DISTINCT ' : ''}${window.arguments.map(print).join(', ')}`;
  const clauses = [
    partitionBy.length === 0 ? '' : `PARTITION BY ${partitionBy.map(print).join(', ')}`,
    orderBy.length === 0 ? '' : sortKeysText(orderBy, print),
    frame === null
      ? ''
      : `${frame.unit} BETWEEN ${boundText(frame.start, print)} AND ${boundText(frame.end, print)}`,
  ];
  const over = clauses.filter((clause) => clause !== '').join(' ');
  return `${name}(${values}${nulls === null ? '' : ` ${nulls} NULLS`}) OVER (${over})`;
}

function boundText(bound: ResolvedFrameBound, print: Print): string {
  const words = bound.kind.replace('-', ' ').toUpperCase();
  return 'offset' in bound ? `${print(bound.offset)} ${words}` : words;
}
