import type { Choices } from './choices.ts';
import { DATES, MOMENTS, TEXTS } from './made-entries.ts';
import type { CallName, Expr, FromItem, Query, Relation, Select } from './query.ts';
import { BOOL, INT64, isScalar, JSON_TEXT, type ScalarName, STRING, type Type } from './types.ts';
import type { Value } from './values.ts';

/** A name that expressions can use. */
export interface Variable {
  readonly name: string;
  readonly type: Type;
  /** Whether it is a row of a relation, which is no value by itself where a join may lack it. */
  readonly isRow: boolean;
}

/** What expressions need of the query around them. */
export interface Surroundings {
  name(prefix: string): string;
  relation(): Relation;
}

const PATTERNS = ['/rest', '^/rest', '^/rest$', '/auth|/rest', 'a', '^$', 'v1$', '[/]auth', '^a|b'];
const SMALL_INTEGERS = [0n, 1n, 200n, 404n, 9007199254740993n];
const MOST_STEPS = 5;

/** All that can be reached from the variables by names of fields, without going into arrays. */
export function pathsOf(variables: readonly Variable[]): readonly Expr[] {
  const within = (expr: Expr, steps: number): readonly Expr[] => {
    if (expr.type.kind !== 'struct' || steps === 0) return [expr];
    const fields = expr.type.fields.flatMap(({ name, type }, index) =>
      within({ op: 'field', of: expr, index, name, type }, steps - 1),
    );
    return [expr, ...fields];
  };
  return variables.flatMap(({ name, type, isRow }) => {
    const paths = within({ op: 'variable', name, type }, MOST_STEPS);
    return isRow ? paths.slice(1) : paths;
  });
}

/** Makes expressions over variables. */
export class ExprMaker {
  readonly #choices: Choices;
  readonly #around: Surroundings;

  constructor(choices: Choices, around: Surroundings) {
    this.#choices = choices;
    this.#around = around;
  }

  /** What a select list can show. */
  output(variables: readonly Variable[]): Expr {
    const paths = pathsOf(variables);
    switch (this.#choices.below(10)) {
      case 3:
        return this.condition(variables, 2);
      case 4:
      case 5:
        return this.#number(variables) ?? this.#literal(INT64);
      case 6: {
        const value = this.#choices.pick(paths);
        return { op: 'call', name: 'TO_JSON_STRING', args: [value], type: JSON_TEXT };
      }
      case 7:
        return this.#arraySubquery(variables) ?? this.#choices.pick(paths);
      case 8:
        return this.#scalarSubquery(variables) ?? this.#choices.pick(paths);
      case 9:
        return this.#struct(variables);
      default:
        return this.#choices.pick(paths);
    }
  }

  /** A BOOL; `room` says how deep it may be. */
  condition(variables: readonly Variable[], room: number): Expr {
    const paths = pathsOf(variables);
    const comparison = () => this.#comparison(variables, room);
    switch (this.#choices.below(room > 0 ? 10 : 5)) {
      case 1:
      case 2: {
        const candidates = paths.filter(({ type }) => type.kind !== 'array');
        if (candidates.length === 0) return comparison();
        const name = this.#choices.pick(['IS NULL', 'IS NOT NULL'] as const);
        return this.#call(name, [this.#choices.pick(candidates)], BOOL);
      }
      case 3: {
        const flags = paths.filter(({ type }) => isScalar(type, 'BOOL'));
        return flags.length > 0 ? this.#choices.pick(flags) : comparison();
      }
      case 5:
      case 6:
        return this.#exists(variables, room) ?? comparison();
      case 7: {
        const name = this.#choices.pick(['AND', 'OR'] as const);
        return this.#call(
          name,
          [this.condition(variables, room - 1), this.condition(variables, room - 1)],
          BOOL,
        );
      }
      case 8:
        return this.#call('NOT', [this.condition(variables, room - 1)], BOOL);
      case 9:
        return this.#in(variables, room) ?? comparison();
      default:
        return comparison();
    }
  }

  /** A scalar of one of these types; null where there is none. */
  ofKinds(variables: readonly Variable[], names: readonly ScalarName[]): Expr | null {
    const paths = pathsOf(variables).filter(({ type }) => isScalar(type, ...names));
    if (this.#choices.chance(15)) return this.#number(variables);
    return paths.length === 0 ? null : this.#choices.pick(paths);
  }

  /** A value of just this type, made of others if need be; null for what has no literal. */
  ofType(variables: readonly Variable[], type: Type, room: number): Expr | null {
    if (isScalar(type, 'BOOL')) return this.condition(variables, room);
    return isScalar(type, 'STRING', 'INT64', 'DATE', 'TIMESTAMP') ? this.#literal(type) : null;
  }

  /** An array to unnest; null where nothing has one. */
  array(variables: readonly Variable[]): Expr | null {
    const mapped = this.#choices.chance(8) ? this.#mapped(variables) : null;
    if (mapped !== null) return mapped;
    const arrays = pathsOf(variables).filter(({ type }) => type.kind === 'array');
    // What lies deepest comes first, so that chains of records are made.
    const near = arrays.toReversed();
    const records = near.filter(({ type }) => type.kind === 'array' && type.element.kind === 'struct');
    if (records.length > 0 && this.#choices.chance(75)) {
      const [last = records[0], ...others] = records;
      return this.#choices.chance(50) && others.length > 0 ? this.#choices.pick(others) : (last ?? null);
    }
    return near.length === 0 ? null : this.#choices.pick(near);
  }

  #comparison(variables: readonly Variable[], room: number): Expr {
    const texts = pathsOf(variables).filter(({ type }) => isScalar(type, 'STRING'));
    switch (this.#choices.below(5)) {
      case 1: {
        if (texts.length === 0) break;
        const pattern: Expr = { op: 'literal', value: this.#choices.pick(PATTERNS), type: STRING };
        return this.#call('CONTAINS', [this.#choices.pick(texts), pattern], BOOL);
      }
      case 2: {
        if (texts.length === 0) break;
        return this.#call('STARTS_WITH', [this.#choices.pick(texts), this.#literal(STRING)], BOOL);
      }
      case 3: {
        const number = room > 0 ? this.#number(variables) : null;
        if (number === null) break;
        return this.#call(
          this.#choices.pick(['=', '>=', '<'] as const),
          [number, this.#literal(INT64)],
          BOOL,
        );
      }
      default:
    }
    const comparable = pathsOf(variables).filter(({ type }) =>
      isScalar(type, 'STRING', 'INT64', 'DATE', 'TIMESTAMP'),
    );
    if (comparable.length === 0) return { op: 'literal', value: true, type: BOOL };
    const left = this.#choices.pick(comparable);
    const same = comparable.filter((other) => other !== left && sameScalar(other.type, left.type));
    const right =
      same.length > 0 && this.#choices.chance(30) ? this.#choices.pick(same) : this.#literal(left.type);
    return this.#call(this.#choices.pick(['=', '!=', '<', '>='] as const), [left, right], BOOL);
  }

  /** An INT64 made of something. */
  #number(variables: readonly Variable[]): Expr | null {
    const paths = pathsOf(variables);
    const arrays = paths.filter(({ type }) => type.kind === 'array');
    switch (this.#choices.below(4)) {
      case 1: {
        const numbers = paths.filter(({ type }) => isScalar(type, 'INT64'));
        if (numbers.length === 0) return null;
        return this.#call('IFNULL', [this.#choices.pick(numbers), this.#literal(INT64)], INT64);
      }
      case 2: {
        const values = [this.#literal(INT64), this.#literal(INT64)];
        return this.#call('IF', [this.condition(variables, 0), ...values], INT64);
      }
      case 3: {
        const texts = paths.filter(({ type }) => isScalar(type, 'STRING'));
        return texts.length === 0 ? null : this.#call('LENGTH', [this.#choices.pick(texts)], INT64);
      }
      default:
        if (arrays.length === 0) return null;
        return this.#call('ARRAY_LENGTH', [this.#choices.pick(arrays)], INT64);
    }
  }

  #struct(variables: readonly Variable[]): Expr {
    const paths = pathsOf(variables);
    const picked = this.#choices.several(1, 2, (index) => ({
      name: `f${index}`,
      value: this.#choices.pick(paths),
    }));
    const fields = picked.map(({ name, value }) => ({ name, type: value.type }));
    return { op: 'struct', fields: picked, type: { kind: 'struct', fields } };
  }

  /** An array of the variables with some fields of its records replaced. */
  #mapped(variables: readonly Variable[]): Expr | null {
    const records = pathsOf(variables).filter(isRecords);
    return records.length === 0 ? null : this.#mappedOf(this.#choices.pick(records), variables);
  }

  #mappedOf(array: Expr, variables: readonly Variable[]): Expr | null {
    const element = array.type.kind === 'array' ? array.type.element : null;
    if (element?.kind !== 'struct') return null;
    const alias = this.#around.name('u');
    const inner = [{ name: alias, type: element, isRow: false }, ...variables];
    const fields = element.fields.map(({ name, type }, index) => {
      const of: Expr = { op: 'variable', name: alias, type: element };
      const own: Expr = { op: 'field', of, index, name, type };
      return { name, value: this.#choices.chance(30) ? this.#replaced(own, inner) : own };
    });
    const type: Type = {
      kind: 'struct',
      fields: fields.map(({ name, value }) => ({ name, type: value.type })),
    };
    const select: Select = {
      from: [{ kind: 'unnest', array, alias, offset: null, join: ',', on: null }],
      where: null,
      columns: [{ name: this.#around.name('k'), value: { op: 'struct', fields, type } }],
      isGrouped: false,
      isPiped: false,
    };
    return { op: 'array', query: queryOf(select), type: { kind: 'array', element: type } };
  }

  /** What stands in the place of a field: records with other fields, a text or a number that depends on something, or a BOOL. */
  #replaced(own: Expr, variables: readonly Variable[]): Expr {
    const mapped = isRecords(own) ? this.#mappedOf(own, variables) : null;
    if (mapped !== null) return mapped;
    const condition = this.condition(variables, 1);
    if (!isScalar(own.type, 'STRING', 'INT64')) return condition;
    return this.#call('IF', [condition, own, this.#literal(own.type)], own.type);
  }

  /** A field of an element by its position, or the element. */
  element(variables: readonly Variable[]): Expr | null {
    const array = this.array(variables);
    if (array?.type.kind !== 'array') return null;
    const how = this.#choices.pick([
      'SAFE_OFFSET',
      'SAFE_ORDINAL',
      'SAFE_OFFSET',
      'OFFSET',
      'ORDINAL',
    ] as const);
    const at = how.endsWith('ORDINAL') ? this.#choices.pick([1, 2]) : this.#choices.pick([0, 1]);
    const found: Expr = { op: 'index', of: array, how, at, type: array.type.element };
    if (found.type.kind !== 'struct') return found;
    const index = this.#choices.below(found.type.fields.length);
    const field = found.type.fields[index];
    if (field === undefined || this.#choices.chance(20)) return found;
    return { op: 'field', of: found, index, name: field.name, type: field.type };
  }

  #arraySubquery(variables: readonly Variable[]): Expr | null {
    const mapped = this.#choices.chance(25) ? this.#mapped(variables) : null;
    if (mapped !== null) return mapped;
    // The order of a relation's rows is open, that of elements is not.
    const select = this.#innerOfArrays(variables, 1, (inner) => {
      const values = pathsOf(inner).filter(({ type }) => type.kind !== 'array');
      return values.length === 0 ? null : this.#choices.pick(values);
    });
    if (select === null) return null;
    const element = select.columns[0]?.value;
    if (element === undefined) return null;
    // No array in an answer holds a NULL.
    const filled = this.#call('IS NOT NULL', [element], BOOL);
    const where = select.where === null ? filled : this.#call('AND', [filled, select.where], BOOL);
    return {
      op: 'array',
      query: queryOf({ ...select, where }),
      type: { kind: 'array', element: element.type },
    };
  }

  /** An aggregate over elements, or an element by its position. */
  #scalarSubquery(variables: readonly Variable[]): Expr | null {
    if (this.#choices.chance(40)) return this.element(variables);
    const select = this.#inner(variables, 1, (inner) => {
      const values = pathsOf(inner).filter(({ type }) => isScalar(type, 'STRING', 'INT64', 'DATE'));
      if (values.length === 0 || this.#choices.chance(30)) return count();
      const arg = this.#choices.pick(values);
      if (this.#choices.chance(20)) return arg;
      const name = this.#choices.pick(['MIN', 'MAX', 'COUNT'] as const);
      return { op: 'aggregate', name, arg, type: name === 'COUNT' ? INT64 : arg.type };
    });
    const value = select?.columns[0]?.value;
    if (select === null || value === undefined) return null;
    const isGrouped = value.op === 'aggregate';
    return { op: 'scalar', query: queryOf({ ...select, isGrouped }), type: value.type };
  }

  #exists(variables: readonly Variable[], room: number): Expr | null {
    const select = this.#inner(variables, room, () => this.#literal(INT64));
    return select === null ? null : { op: 'exists', query: queryOf(select), type: BOOL };
  }

  #in(variables: readonly Variable[], room: number): Expr | null {
    const texts = pathsOf(variables).filter(({ type }) => isScalar(type, 'STRING', 'INT64'));
    if (texts.length === 0) return null;
    const of = this.#choices.pick(texts);
    const select = this.#inner(variables, room, (inner) => {
      const values = pathsOf(inner).filter(({ type }) => sameScalar(type, of.type));
      return values.length === 0 ? null : this.#choices.pick(values);
    });
    return select === null ? null : { op: 'in', of, query: queryOf(select), type: BOOL };
  }

  /** A SELECT over an array of the variables, or sometimes over a relation, with a value of what it finds there. */
  #inner(
    variables: readonly Variable[],
    room: number,
    choose: (inner: readonly Variable[]) => Expr | null,
  ): Select | null {
    if (!this.#choices.chance(10)) return this.#innerOfArrays(variables, room, choose);
    const relation = this.#around.relation();
    const alias = this.#around.name('t');
    const inner = [{ name: alias, type: { kind: 'struct', fields: relation.columns } as const, isRow: true }];
    const from = [{ kind: 'relation', relation, alias, join: ',', on: null } as const];
    return this.#innerSelect(from, inner, variables, room, choose);
  }

  #innerOfArrays(
    variables: readonly Variable[],
    room: number,
    choose: (inner: readonly Variable[]) => Expr | null,
  ): Select | null {
    const from: FromItem[] = [];
    let inner: readonly Variable[] = [];
    const steps = this.#choices.pick([1, 2, 1, 3]);
    for (let step = 0; step < steps; step += 1) {
      const array = this.array(step === 0 ? variables : inner);
      if (array?.type.kind !== 'array') break;
      const alias = this.#around.name('u');
      const offset = this.#choices.chance(10) ? this.#around.name('o') : null;
      const join = this.#choices.pick([',', 'CROSS', 'LEFT'] as const);
      const position = offset === null ? [] : [{ name: offset, type: INT64, isRow: false }];
      inner = [...inner, { name: alias, type: array.type.element, isRow: false }, ...position];
      const on = step > 0 && join === 'LEFT' && this.#choices.chance(20) ? this.condition(inner, 1) : null;
      from.push({ kind: 'unnest', array, alias, offset, join: step === 0 ? ',' : join, on });
    }
    return inner.length === 0 ? null : this.#innerSelect(from, inner, variables, room, choose);
  }

  #innerSelect(
    from: readonly FromItem[],
    inner: readonly Variable[],
    variables: readonly Variable[],
    room: number,
    choose: (inner: readonly Variable[]) => Expr | null,
  ): Select | null {
    const value = choose(inner);
    if (value === null) return null;
    const seen = room > 0 && this.#choices.chance(30) ? [...inner, ...variables] : inner;
    const where = this.#choices.chance(60) ? this.condition(seen, Math.max(Math.min(room, 2) - 1, 0)) : null;
    return {
      from,
      where,
      columns: [{ name: this.#around.name('k'), value }],
      isGrouped: false,
      isPiped: false,
    };
  }

  #literal(type: Type): Expr {
    return { op: 'literal', value: this.#literalValue(type), type };
  }

  #literalValue(type: Type): Value {
    if (isScalar(type, 'INT64')) return this.#choices.pick(SMALL_INTEGERS);
    if (isScalar(type, 'DATE')) return this.#choices.pick(DATES);
    if (isScalar(type, 'TIMESTAMP')) return this.#choices.pick(MOMENTS);
    return this.#choices.pick(TEXTS);
  }

  #call(name: CallName, args: readonly Expr[], type: Type): Expr {
    return { op: 'call', name, args, type };
  }
}

const count = (): Expr => ({ op: 'aggregate', name: 'COUNT', arg: null, type: INT64 });

function isRecords({ type }: Expr): boolean {
  return type.kind === 'array' && type.element.kind === 'struct';
}

function sameScalar(a: Type, b: Type): boolean {
  return a.kind === 'scalar' && b.kind === 'scalar' && a.name === b.name;
}

function queryOf(select: Select): Query {
  return { ctes: [], selects: [select], orderBy: [], limit: null };
}
