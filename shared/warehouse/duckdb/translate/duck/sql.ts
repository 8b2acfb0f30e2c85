import { quoteIdentifier, quoteLiteral } from '../../quote.ts';

/** What generation asks of a piece of SQL. It follows from the parts; a piece is never looked at as text. */
export interface Properties {
  /** The same for all rows: no column, no variable of a lambda, no subquery. */
  readonly isConstant: boolean;
  /** May answer differently when it runs again; DuckDB does not fold it. */
  readonly isVolatile: boolean;
  /** May raise an error of GoogleSQL. */
  readonly mayRaise: boolean;
  /** May raise the error that says what the engine cannot compute. */
  readonly mayRefuse: boolean;
  readonly hasSubquery: boolean;
  /** Has a subquery inside a lambda, where DuckDB runs none. */
  readonly hasSubqueryInLambda: boolean;
}

/** Properties as bits, each of which a whole has as soon as one of its parts has it. */
const VARIES = 1;
const VOLATILE = 2;
const RAISES = 4;
const SUBQUERY = 8;
const REFUSES = 16;
const SUBQUERY_IN_LAMBDA = 32;

type Part = string | Variable | Parameter | Sql;

/** What can stand in a template: SQL, or a number that is written as it is. An argument that a call has not got is refused. */
export type Hole = Sql | bigint | number | undefined;

/** A variable of a lambda; two are never the same, whatever they are called in the text. */
class Variable {}

/** The place of a parameter's value, by the parameter's number from 1. */
class Parameter {
  readonly number: number;

  constructor(number: number) {
    this.number = number;
  }
}

/** About how many characters a variable's or a parameter's name has. */
const NAME_LENGTH = 2;

/** What kind of atom SQL is: `none` is computed, a `name` or a literal costs nothing and cannot fail. */
type Atom = 'none' | 'name' | { readonly value: string | bigint | null };

/** Immutable DuckDB SQL. It is made by the functions of this file and of its neighbours, and becomes text at the end. */
export class Sql {
  /** Characters of its text, about. */
  readonly size: number;
  readonly #parts: readonly Part[];
  readonly #bits: number;
  readonly #atom: Atom;

  private constructor(parts: readonly Part[], bits: number, atom: Atom) {
    let size = 0;
    let all = bits;
    for (const part of parts) {
      if (typeof part === 'string') size += part.length;
      else if (part instanceof Sql) {
        size += part.size;
        all |= part.#bits;
      } else size += NAME_LENGTH;
    }
    this.size = size;
    this.#parts = parts;
    this.#bits = all;
    this.#atom = atom;
  }

  static composed(parts: readonly Part[]): Sql {
    return new Sql(parts, 0, 'none');
  }

  /** A literal; `value` is null for one whose value is not needed. */
  static literal(text: string, value: string | bigint | null): Sql {
    return new Sql([text], 0, { value });
  }

  /** What another value stands behind in each row. */
  static named(parts: readonly Part[]): Sql {
    return new Sql(parts, VARIES, 'name');
  }

  get properties(): Properties {
    const bits = this.#bits;
    return {
      isConstant: (bits & VARIES) === 0,
      isVolatile: (bits & VOLATILE) !== 0,
      mayRaise: (bits & RAISES) !== 0,
      mayRefuse: (bits & REFUSES) !== 0,
      hasSubquery: (bits & SUBQUERY) !== 0,
      hasSubqueryInLambda: (bits & SUBQUERY_IN_LAMBDA) !== 0,
    };
  }

  /** A name or a literal: it costs nothing to compute, and cannot fail. */
  get isAtom(): boolean {
    return this.#atom !== 'none';
  }

  /** The value of a literal of text or of a whole number; null for all other SQL. */
  get literal(): string | bigint | null {
    return typeof this.#atom === 'string' ? null : this.#atom.value;
  }

  /** A field of a struct, by a name that generation has given it. */
  field(name: string): Sql {
    return new Sql([this, `.${name}`], 0, this.isAtom ? 'name' : 'none');
  }

  /** The same SQL, which may raise an error. */
  raising(): Sql {
    return new Sql(this.#parts, this.#bits | RAISES, 'none');
  }

  /** The same SQL, which may raise the error that says what the engine cannot compute. */
  refusing(): Sql {
    return new Sql(this.#parts, this.#bits | RAISES | REFUSES, 'none');
  }

  /** The same SQL, which may answer differently when it runs again. */
  volatile(): Sql {
    return new Sql(this.#parts, this.#bits | VOLATILE, 'none');
  }

  /** The same SQL, which holds a subquery. */
  withSubquery(): Sql {
    return new Sql(this.#parts, this.#bits | SUBQUERY | VARIES, 'none');
  }

  /** The same SQL, which is a lambda's body. */
  asBody(): Sql {
    const bits = (this.#bits & SUBQUERY) === 0 ? this.#bits : this.#bits | SUBQUERY_IN_LAMBDA;
    return new Sql(this.#parts, bits, this.#atom);
  }

  /** The text; variables are named by the order in which they occur, and parameters by `parameterText`: `$1` without it. */
  text(parameterText = (number: number): string => `$${number}`): string {
    return this.#appendTo('', { variables: new Map(), parameterText });
  }

  /** SQL inside text would no longer be known for what it is. */
  toString(): never {
    throw new TypeError('SQL as text');
  }

  #appendTo(start: string, names: Names): string {
    let text = start;
    for (const part of this.#parts) {
      if (typeof part === 'string') text += part;
      else text = part instanceof Sql ? part.#appendTo(text, names) : text + nameOf(part, names);
    }
    return text;
  }
}

interface Names {
  readonly variables: Map<Variable, string>;
  readonly parameterText: (number: number) => string;
}

function nameOf(part: Variable | Parameter, { variables, parameterText }: Names): string {
  if (part instanceof Parameter) return parameterText(part.number);
  const name = variables.get(part) ?? `v${variables.size + 1}`;
  variables.set(part, name);
  return name;
}

/** DuckDB SQL with other SQL in it. The template's own text has no name of a column, no subquery and nothing that raises. */
export function duck(strings: TemplateStringsArray, ...holes: readonly Hole[]): Sql {
  const parts: Part[] = [];
  for (let index = 0; index < strings.length; index++) {
    const text = strings[index] ?? '';
    if (text !== '') parts.push(text);
    if (index === holes.length) break;
    const hole = holes[index];
    if (hole === undefined) throw new TypeError(`no SQL behind ${JSON.stringify(text)}`);
    parts.push(typeof hole === 'object' ? hole : String(hole));
  }
  return Sql.composed(parts);
}

/** A list with what stands between its members. */
export function joined(list: readonly Sql[], separator: string): Sql {
  const parts: Part[] = [];
  for (const sql of list) {
    if (parts.length > 0) parts.push(separator);
    parts.push(sql);
  }
  return Sql.composed(parts);
}

/** Clauses with spaces between; those that are null are left out. */
export function clauses(...list: readonly (Sql | null)[]): Sql {
  return joined(
    list.filter((sql) => sql !== null),
    ' ',
  );
}

/** A keyword, operator or name of DuckDB's own that is chosen by code; never what a caller has written. */
export function word(text: string): Sql {
  return Sql.composed([text]);
}

/** No SQL at all, for a clause that is left out. */
export const EMPTY: Sql = Sql.composed([]);

/** Text as a literal. */
export function textLiteral(text: string): Sql {
  return Sql.literal(quoteLiteral(text), text);
}

/** A whole number as a BIGINT. */
export function bigint(value: bigint): Sql {
  return Sql.literal(`${value < 0n ? `(${value})` : value}::BIGINT`, value);
}

/** A literal of another type, whose text names the type. */
export function typedLiteral(text: string): Sql {
  return Sql.literal(text, null);
}

/** A name as an identifier. */
export function identifier(name: string): Sql {
  return Sql.composed([quoteIdentifier(name)]);
}

/** A column of what an alias stands for; both are names that generation has made. */
export function column(alias: Sql, name: Sql): Sql {
  return Sql.named([alias, '.', name]);
}

/** A log table's column. */
export function tableColumn(alias: Sql, name: string): Sql {
  return Sql.named([alias, '.', quoteIdentifier(name)]);
}

/** A query in parentheses. */
export function subquery(query: Sql): Sql {
  return duck`(${query})`.withSubquery();
}

/** A new variable for lambdaOf(). */
export function variable(): Sql {
  return Sql.named([new Variable()]);
}

/** The place of a parameter's value, by the parameter's number from 1. */
export function parameter(number: number): Sql {
  return Sql.composed([new Parameter(number)]);
}

/** A lambda of variables that the body already has. */
export function lambdaOf(variables: readonly Sql[], body: Sql): Sql {
  return duck`lambda ${joined(variables, ', ')}: ${body.asBody()}`;
}

/** A lambda with as many variables as the body takes, at least one. */
export function lambda(body: (first: Sql, second: Sql) => Sql): Sql {
  const [first, second] = [variable(), variable()];
  return lambdaOf(body.length > 1 ? [first, second] : [first], body(first, second));
}

/** Each element of a list made into another. */
export function mapped(list: Sql, body: (element: Sql, index: Sql) => Sql): Sql {
  return duck`list_transform(${list}, ${lambda(body)})`;
}

/** The elements of a list that meet a condition. */
export function filtered(list: Sql, body: (element: Sql, index: Sql) => Sql): Sql {
  return duck`list_filter(${list}, ${lambda(body)})`;
}
