import { quoteIdentifier, quoteLiteral } from '../../quote.ts';

/** What generation asks of a piece of SQL. It follows from the parts; a piece is never looked at as text. */
interface Properties {
  /** The same for all rows: no column, no variable of a lambda, no subquery. */
  readonly isConstant: boolean;
  /** May answer differently when it runs again; DuckDB does not fold it. */
  readonly isVolatile: boolean;
  /** May raise an error of GoogleSQL. */
  readonly mayRaise: boolean;
  readonly hasSubquery: boolean;
}

type Part = string | Variable | Sql;

/** What can stand in a template: SQL, or a number that is written as it is. An argument that a call has not got is refused. */
export type Hole = Sql | bigint | number | undefined;

const NOTHING: Properties = { isConstant: true, isVolatile: false, mayRaise: false, hasSubquery: false };

/** A variable of a lambda; two are never the same, whatever they are called in the text. */
class Variable {}

/** About how many characters a variable's name has. */
const NAME_LENGTH = 2;

/** Immutable DuckDB SQL. It is made by the functions of this file and of its neighbours, and becomes text at the end. */
export class Sql {
  readonly #parts: readonly Part[];
  readonly properties: Properties;
  /** Characters of its text, about. */
  readonly size: number;
  /** A name or a literal: it costs nothing to compute, and cannot fail. */
  readonly isAtom: boolean;
  /** Of an atom that is a literal; null for all other SQL. */
  readonly literal: string | bigint | null;

  private constructor(
    parts: readonly Part[],
    properties: Properties,
    atom: { readonly literal: string | bigint | null } | null,
  ) {
    this.#parts = parts;
    this.properties = properties;
    this.size = parts.reduce<number>((sum, part) => sum + sizeOf(part), 0);
    this.isAtom = atom !== null;
    this.literal = atom?.literal ?? null;
  }

  static composed(parts: readonly Part[], properties: Properties): Sql {
    return new Sql(parts, properties, null);
  }

  static atom(parts: readonly Part[], isConstant: boolean, literal: string | bigint | null = null): Sql {
    return new Sql(parts, { ...NOTHING, isConstant }, { literal });
  }

  /** A field of a struct, by a name that generation has given it. */
  field(name: string): Sql {
    return new Sql([this, `.${name}`], this.properties, this.isAtom ? { literal: null } : null);
  }

  /** The same SQL, of which something is known that its parts do not tell. */
  with(known: Partial<Properties>): Sql {
    return new Sql(this.#parts, { ...this.properties, ...known }, null);
  }

  /** The text; variables are named by the order in which they occur. */
  text(): string {
    const names = new Map<Variable, string>();
    const pieces: string[] = [];
    this.#write(pieces, names);
    return pieces.join('');
  }

  /** SQL inside text would no longer be known for what it is. */
  toString(): never {
    throw new TypeError('SQL as text');
  }

  #write(pieces: string[], names: Map<Variable, string>): void {
    for (const part of this.#parts) {
      if (typeof part === 'string') pieces.push(part);
      else if (part instanceof Sql) part.#write(pieces, names);
      else pieces.push(nameOf(part, names));
    }
  }
}

function sizeOf(part: Part): number {
  if (typeof part === 'string') return part.length;
  return part instanceof Sql ? part.size : NAME_LENGTH;
}

function nameOf(variable: Variable, names: Map<Variable, string>): string {
  const name = names.get(variable) ?? `v${names.size + 1}`;
  names.set(variable, name);
  return name;
}

function propertiesOf(parts: readonly Part[]): Properties {
  let { isConstant, isVolatile, mayRaise, hasSubquery } = NOTHING;
  for (const part of parts) {
    if (!(part instanceof Sql)) continue;
    const known = part.properties;
    isConstant &&= known.isConstant;
    isVolatile ||= known.isVolatile;
    mayRaise ||= known.mayRaise;
    hasSubquery ||= known.hasSubquery;
  }
  return { isConstant, isVolatile, mayRaise, hasSubquery };
}

function compose(parts: readonly Part[]): Sql {
  return Sql.composed(parts, propertiesOf(parts));
}

/** DuckDB SQL with other SQL in it. The template's own text has no name of a column, no subquery and nothing that raises. */
export function duck(strings: TemplateStringsArray, ...holes: readonly Hole[]): Sql {
  const parts: Part[] = [];
  for (const [index, text] of strings.entries()) {
    if (text !== '') parts.push(text);
    if (index === holes.length) break;
    const hole = holes[index];
    if (hole === undefined) throw new TypeError(`no SQL behind ${JSON.stringify(text)}`);
    parts.push(hole instanceof Sql ? hole : String(hole));
  }
  return compose(parts);
}

/** A list with what stands between its members. */
export function joined(list: readonly Sql[], separator: string): Sql {
  return compose(list.flatMap((sql, index) => (index === 0 ? [sql] : [separator, sql])));
}

/** A keyword, operator or name of DuckDB's own that is chosen by code; never what a caller has written. */
export function word(text: string): Sql {
  return compose([text]);
}

/** No SQL at all, for a clause that is left out. */
export const EMPTY: Sql = compose([]);

export const NULL: Sql = Sql.atom(['NULL'], true);

/** Text as a literal. */
export function textLiteral(text: string): Sql {
  return Sql.atom([quoteLiteral(text)], true, text);
}

/** A whole number as a BIGINT. */
export function bigint(value: bigint): Sql {
  return Sql.atom([`${value < 0n ? `(${value})` : value}::BIGINT`], true, value);
}

/** A literal of another type, whose text names the type. */
export function typedLiteral(text: string): Sql {
  return Sql.atom([text], true);
}

/** A name as an identifier. */
export function identifier(name: string): Sql {
  return compose([quoteIdentifier(name)]);
}

/** A column of what an alias stands for; both are names that generation has made. */
export function column(alias: Sql, name: Sql): Sql {
  return Sql.atom([alias, '.', name], false);
}

/** A log table's column. */
export function tableColumn(alias: Sql, name: string): Sql {
  return Sql.atom([alias, '.', quoteIdentifier(name)], false);
}

/** A query in parentheses. */
export function subquery(query: Sql): Sql {
  return duck`(${query})`.with({ hasSubquery: true, isConstant: false });
}

/** A new variable for lambdaOf(). */
export function variable(): Sql {
  return Sql.atom([new Variable()], false);
}

/** A lambda of variables that the body already has. */
export function lambdaOf(variables: readonly Sql[], body: Sql): Sql {
  return duck`lambda ${joined(variables, ', ')}: ${body}`;
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
