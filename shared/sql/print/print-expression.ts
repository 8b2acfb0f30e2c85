import type { Argument, Expression, FunctionCall, In, Literal, OrderItem } from '../ast/expression.ts';
import type { FrameBound, Query, WindowSpec } from '../ast/query.ts';
import type { TypeName } from '../ast/type-name.ts';
import { BARE_FUNCTIONS, KEYWORD_FUNCTIONS } from '../parser/function-keywords.ts';
import { SUBSCRIPT_MODES } from '../parser/subscript-modes.ts';
import { PRECEDENCE, precedenceOf } from './precedence.ts';
import { identifier, parameter, quoteBytes, quoteIdentifier, quoteLiteral } from './quote.ts';

/**
 * - `plain`: parentheses and backquotes where GoogleSQL needs them
 * - `explicit`: around every operation and every name, so that the text has one reading whatever the precedences and keywords are
 */
export type PrintStyle = 'plain' | 'explicit';

const SUBQUERY_WORDS = { scalar: '', array: 'ARRAY', exists: 'EXISTS ' } as const;

/** Prints expressions; queries in them are left to the printer of queries. */
export abstract class ExpressionPrinter {
  readonly #isExplicit: boolean;

  constructor(style: PrintStyle) {
    this.#isExplicit = style === 'explicit';
  }

  abstract query(query: Query): string;

  expression(expression: Expression): string {
    return this.#operand(expression, PRECEDENCE.OR);
  }

  /** An expression where no comparison may stand without parentheses. */
  operand(expression: Expression): string {
    return this.#operand(expression, PRECEDENCE.ARITHMETIC);
  }

  /** What a field, a subscript or `.*` stands after. */
  base(base: Expression): string {
    // A dot right after a number would be a part of it.
    if (base.kind === 'literal') return base.type === 'STRING' ? this.#print(base) : `${this.#print(base)} `;
    const isPath = ['name', 'field', 'subscript', 'call', 'parameter'].includes(base.kind);
    return isPath ? this.#print(base) : `(${this.#print(base)})`;
  }

  list(expressions: readonly Expression[]): string {
    return expressions.map((one) => this.expression(one)).join(', ');
  }

  name(name: string): string {
    return this.#isExplicit ? quoteIdentifier(name) : identifier(name);
  }

  alias(alias: string | null): string {
    return alias === null ? '' : ` AS ${this.name(alias)}`;
  }

  orderBy(items: readonly OrderItem[]): string | false {
    if (items.length === 0) return false;
    return `ORDER BY ${items.map((item) => this.expression(item.expression) + direction(item)).join(', ')}`;
  }

  window({ base, partitionBy, orderBy, frame }: WindowSpec): string {
    const inside = words(
      base !== null && this.name(base),
      partitionBy.length > 0 && `PARTITION BY ${this.list(partitionBy)}`,
      this.orderBy(orderBy),
      frame !== null && `${frame.unit} BETWEEN ${this.#bound(frame.start)} AND ${this.#bound(frame.end)}`,
    );
    return `(${inside})`;
  }

  /** An expression where nothing looser than a precedence may stand without parentheses. */
  #operand(expression: Expression, least: number): string {
    const precedence = precedenceOf(expression);
    const isLoose = this.#isExplicit ? precedence < PRECEDENCE.PRIMARY : precedence < least;
    return isLoose ? `(${this.#print(expression)})` : this.#print(expression);
  }

  #print(expression: Expression): string {
    switch (expression.kind) {
      case 'literal':
        return literal(expression);
      case 'parameter':
        return parameter(expression.name);
      case 'name':
        return this.name(expression.name);
      case 'field':
        return `${this.base(expression.base)}.${this.name(expression.name)}`;
      case 'subscript': {
        const { mode, index } = expression;
        // A call of that name would be read as the mode.
        const isMode = index.kind === 'call' && Object.hasOwn(SUBSCRIPT_MODES, index.name);
        const inside = isMode ? `(${this.#print(index)})` : this.expression(index);
        return `${this.base(expression.base)}[${mode === 'plain' ? inside : `${mode.toUpperCase()}(${inside})`}]`;
      }
      case 'unary': {
        const { operator, operand } = expression;
        const printed = this.#operand(operand, precedenceOf(expression));
        // Two minus signs would begin a comment.
        return operator === 'NOT' || printed.startsWith('-') ? `${operator} ${printed}` : operator + printed;
      }
      case 'binary': {
        const precedence = precedenceOf(expression);
        // Comparisons do not chain.
        const left = precedence === PRECEDENCE.COMPARISON ? PRECEDENCE.ARITHMETIC : precedence;
        return `${this.#operand(expression.left, left)} ${expression.operator} ${this.#operand(expression.right, precedence + 1)}`;
      }
      case 'between':
        return `${this.#compared(expression)}BETWEEN ${this.#operand(expression.low, PRECEDENCE.ARITHMETIC)} AND ${this.#operand(expression.high, PRECEDENCE.ARITHMETIC)}`;
      case 'in':
        return `${this.#compared(expression)}IN ${this.#inList(expression.list)}`;
      case 'quantified-like':
        return `${this.#compared(expression)}LIKE ${expression.quantifier} ${this.#inList(expression.patterns)}`;
      case 'is':
        return `${this.#operand(expression.operand, PRECEDENCE.ARITHMETIC)} IS ${not(expression)}${expression.test}`;
      case 'case':
        return words(
          'CASE',
          expression.operand !== null && this.expression(expression.operand),
          ...expression.branches.map(
            ({ when, result }) => `WHEN ${this.expression(when)} THEN ${this.expression(result)}`,
          ),
          expression.otherwise !== null && `ELSE ${this.expression(expression.otherwise)}`,
          'END',
        );
      case 'cast': {
        const format = expression.format === null ? '' : ` FORMAT ${this.expression(expression.format)}`;
        return `${expression.safe ? 'SAFE_CAST' : 'CAST'}(${this.expression(expression.operand)} AS ${this.#type(expression.type)}${format}${this.#zone(expression.zone)})`;
      }
      case 'extract':
        return `EXTRACT(${this.#argument(expression.part)} FROM ${this.expression(expression.operand)}${this.#zone(expression.zone)})`;
      case 'interval': {
        const to = expression.to === null ? '' : ` TO ${this.name(expression.to)}`;
        return `INTERVAL ${this.#operand(expression.value, PRECEDENCE.UNARY)} ${this.name(expression.from)}${to}`;
      }
      case 'array': {
        const type = expression.elementType === null ? '' : `ARRAY<${this.#type(expression.elementType)}>`;
        return `${type}[${this.list(expression.elements)}]`;
      }
      case 'struct': {
        const { type, fields, isTuple } = expression;
        const printed = fields
          .map((field) => this.expression(field.value) + this.alias(field.alias))
          .join(', ');
        return `${isTuple === true ? '' : type === null ? 'STRUCT' : this.#type(type)}(${printed})`;
      }
      case 'subquery':
        return `${SUBQUERY_WORDS[expression.mode]}(${this.query(expression.query)})`;
      case 'call':
        return this.#call(expression);
      case 'with-expression': {
        const variables = expression.variables.map(
          ({ name, value }) => `${this.name(name)} AS ${this.expression(value)}`,
        );
        return `WITH(${[...variables, this.expression(expression.result)].join(', ')})`;
      }
      default:
        return never(expression);
    }
  }

  #compared({ operand, negated }: { readonly operand: Expression; readonly negated: boolean }): string {
    return `${this.#operand(operand, PRECEDENCE.ARITHMETIC)} ${not({ negated })}`;
  }

  #inList(list: In['list']): string {
    if (list.kind === 'array') return `UNNEST(${this.expression(list.array)})`;
    return `(${list.kind === 'query' ? this.query(list.query) : this.list(list.values)})`;
  }

  #zone(zone: Expression | null): string {
    return zone === null ? '' : ` AT TIME ZONE ${this.expression(zone)}`;
  }

  #call(call: FunctionCall): string {
    const path = call.name.split('.').map((part, index) => {
      const isFunction = index === 0 && (KEYWORD_FUNCTIONS.has(part) || BARE_FUNCTIONS.includes(part));
      return isFunction && !this.#isExplicit ? part : this.name(part);
    });
    const inside = words(
      call.distinct && 'DISTINCT',
      call.arguments.map((argument) => this.#argument(argument)).join(', '),
      call.nulls !== null && `${call.nulls} NULLS`,
      call.having !== null && `HAVING ${call.having.bound} ${this.expression(call.having.expression)}`,
      this.orderBy(call.orderBy),
      call.limit !== null && `LIMIT ${this.expression(call.limit)}`,
    );
    const over = call.over === null ? '' : ` OVER ${this.window(call.over)}`;
    return `${call.safe ? 'SAFE.' : ''}${path.join('.')}(${inside})${over}`;
  }

  #argument(argument: Argument): string {
    switch (argument.kind) {
      case 'star':
        return '*';
      case 'named-argument':
        return `${this.name(argument.name)} => ${this.expression(argument.value)}`;
      case 'lambda': {
        const [first = '', ...more] = argument.parameters.map((one) => this.name(one));
        const parameters = more.length === 0 ? first : `(${[first, ...more].join(', ')})`;
        return `${parameters} -> ${this.expression(argument.body)}`;
      }
      case 'date-part':
        return (
          this.name(argument.name) + (argument.weekday === null ? '' : `(${this.name(argument.weekday)})`)
        );
      default:
        return this.expression(argument);
    }
  }

  #bound(bound: FrameBound): string {
    const offset = 'offset' in bound ? `${this.expression(bound.offset)} ` : '';
    return offset + bound.kind.replace('-', ' ').toUpperCase();
  }

  #type(type: TypeName): string {
    if (type.kind === 'scalar') return type.name === 'INTERVAL' ? type.name : this.name(type.name);
    if (type.kind === 'array') return `ARRAY<${this.#type(type.element)}>`;
    const fields = type.fields.map((field) =>
      words(field.name !== '' && this.name(field.name), this.#type(field.type)),
    );
    return `STRUCT<${fields.join(', ')}>`;
  }
}

function literal({ type, value, isParenthesized }: Literal): string {
  const text = literalText(type, value);
  return isParenthesized === true ? `(${text})` : text;
}

function literalText(type: Literal['type'], value: string): string {
  switch (type) {
    case 'STRING':
      return quoteLiteral(value);
    case 'BYTES':
      return quoteBytes(value);
    case 'INT64':
    case 'FLOAT64':
    case 'BOOL':
    case 'NULL':
      return value;
    default:
      return `${type} ${quoteLiteral(value)}`;
  }
}

/** `DESC`, `NULLS FIRST` and so on, with a space before; nothing for ascending order. */
export function direction({ descending, nullsFirst }: Pick<OrderItem, 'descending' | 'nullsFirst'>): string {
  const nulls = nullsFirst === null ? '' : ` NULLS ${nullsFirst ? 'FIRST' : 'LAST'}`;
  return `${descending ? ' DESC' : ''}${nulls}`;
}

function not({ negated }: { readonly negated: boolean }): string {
  return negated ? 'NOT ' : '';
}

/** The parts that are there, with a space between. */
export function words(...parts: readonly (string | false)[]): string {
  let text = '';
  for (const part of parts) {
    if (part !== false && part !== '') text += text === '' ? part : ` ${part}`;
  }
  return text;
}

/** Closes a switch over nodes: one that lacks a kind does not compile. Throws a TypeError for a node of an unknown kind. */
export function never(node: never): never {
  throw new TypeError(`a node without a form: ${JSON.stringify(node)}`);
}
