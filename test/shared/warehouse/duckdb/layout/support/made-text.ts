import type { Choices } from './choices.ts';
import { TEXTS } from './made-entries.ts';
import type { MadeTable } from './made-query.ts';
import { isScalar, type NamedType, sameType, type Type } from './types.ts';

/** A value that a query can name. */
interface Path {
  readonly text: string;
  readonly type: Type;
}

/** A FROM clause with what it gives names to. */
interface Rows {
  /** Its items, the first of which is a table. */
  readonly items: readonly string[];
  /** The same as pipe operators. */
  readonly pipes: readonly string[];
  readonly paths: readonly Path[];
  /** The names of rows and elements. */
  readonly names: readonly Path[];
  /** What sorts the rows so that none tie. */
  readonly keys: string;
}

const SORTABLE = ['STRING', 'INT64', 'BOOL', 'TIMESTAMP', 'DATE', 'TIME', 'DATETIME', 'NUMERIC'] as const;
const MOST_STEPS = 4;

/**
 * Makes the text of a query in one of the forms that the evaluation does not know: whole rows and records, structs, pipes, pivots, windows,
 * set operations, and subqueries in every clause. Its rows are the same however tables are laid out.
 */
export function madeText(choices: Choices, tables: readonly MadeTable[]): string {
  return new TextMaker(choices, tables).whole();
}

class TextMaker {
  readonly #choices: Choices;
  readonly #tables: readonly MadeTable[];
  #names = 0;

  constructor(choices: Choices, tables: readonly MadeTable[]) {
    this.#choices = choices;
    this.#tables = tables;
  }

  whole(): string {
    const query = this.#query();
    switch (this.#choices.below(8)) {
      case 5:
        return `WITH c AS (${query}) SELECT * FROM c`;
      case 6:
        return `WITH c AS (${query}) SELECT TO_JSON_STRING(c) AS a FROM c UNION ALL SELECT TO_JSON_STRING(d) FROM c AS d`;
      case 7:
        return `SELECT x FROM (${query}) AS x`;
      default:
        return query;
    }
  }

  #query(): string {
    const rows = this.#rows(this.#choices.pick([1, 0, 2, 3]));
    const from = rows.items.join(' ');
    switch (this.#choices.below(16)) {
      case 0:
        return `SELECT ${this.#star(rows)} FROM ${from}${this.#where(rows)}`;
      case 1:
        return `SELECT ${this.#columns(rows, () => this.#shown(rows))} FROM ${from}${this.#where(rows)}`;
      case 2:
        return `SELECT ${this.#columns(rows, () => this.#struct(rows))} FROM ${from}`;
      case 3:
        return `SELECT ${this.#columns(rows, () => this.#compared(rows))} FROM ${from}${this.#where(rows)}`;
      case 4:
        return `SELECT ${this.#columns(rows, () => this.#array(rows))} FROM ${from}${this.#where(rows)}`;
      case 5:
        return `SELECT ${this.#columns(rows, () => this.#window(rows))} FROM ${from}${this.#where(rows)}`;
      case 6:
        return `SELECT ${rows.keys} FROM ${from} QUALIFY ${this.#window(rows)} IS NOT NULL AND ${this.#condition(rows, 1)}`;
      case 7:
        return this.#setOperation(rows);
      case 8:
        return this.#pivot(rows);
      case 9:
        return this.#unpivot(rows);
      case 10:
      case 11:
        return this.#piped(rows);
      case 12:
        return this.#grouped(rows);
      case 13:
        return this.#sorted(rows);
      case 14:
        return `SELECT DISTINCT ${this.#any(rows).text} AS a FROM ${from}`;
      default:
        return `SELECT AS STRUCT ${this.#columns(rows, () => this.#value(rows))} FROM ${from}${this.#where(rows)}`;
    }
  }

  /** A table with arrays of it unnested, each in one of the ways to write that. */
  #rows(unnested: number): Rows {
    const table = this.#choices.pick(this.#tables);
    const row: Path = {
      text: this.#name('t'),
      type: { kind: 'struct', fields: table.columns },
    };
    let rows: Rows = {
      items: [`logs.${table.name} AS ${row.text}`],
      pipes: [`FROM logs.${table.name} AS ${row.text}`],
      paths: pathsOf(row),
      names: [row],
      keys: `${row.text}.id AS k${row.text}`,
    };
    for (let index = 0; index < unnested; index += 1) {
      const array = this.#pick(rows, ({ type }) => type.kind === 'array');
      if (array?.type.kind !== 'array') break;
      rows = this.#unnest(rows, array, array.type.element);
    }
    return rows;
  }

  #unnest(rows: Rows, array: Path, element: Type): Rows {
    const [name, offset] = [this.#name('u'), this.#name('o')];
    const value: Path = { text: name, type: element };
    const source = this.#choices.pick([
      `UNNEST(${array.text})`,
      `UNNEST(${array.text})`,
      `UNNEST(IF(${this.#condition(rows, 0)}, ${array.text}, []))`,
      `UNNEST(ARRAY_CONCAT(${array.text}, ${array.text}))`,
      `UNNEST(ARRAY(SELECT x FROM UNNEST(${array.text}) AS x WITH OFFSET AS p WHERE ${this.#condition(rows, 0)} ORDER BY p))`,
    ]);
    const item = `${source} AS ${name} WITH OFFSET AS ${offset}`;
    const found: Rows = {
      ...rows,
      paths: [...rows.paths, ...pathsOf(value)],
      names: [...rows.names, value],
    };
    const join = this.#choices.pick(['JOIN', 'LEFT JOIN', 'CROSS JOIN', 'LEFT JOIN', 'INNER JOIN']);
    const isPlain = join === 'CROSS JOIN' || !this.#choices.chance(20);
    const text = `${join} ${item}${isPlain ? '' : ` ON ${this.#condition(found, 1)}`}`;
    return {
      ...found,
      items: [...rows.items, text],
      pipes: [...rows.pipes, text],
      keys: `${rows.keys}, ${offset} AS k${offset}`,
    };
  }

  #columns(rows: Rows, make: () => string): string {
    const columns = this.#choices.several(1, 3, (index) => `${make()} AS a${index}`);
    return [rows.keys, ...columns].join(', ');
  }

  #star(rows: Rows): string {
    const structs = rows.names.filter(({ type }) => type.kind === 'struct');
    const row = this.#choices.pick(structs);
    const fields = row.type.kind === 'struct' ? row.type.fields : [];
    const field = this.#choices.pick(fields);
    const name = `\`${field.name}\``;
    const [table] = rows.names;
    switch (this.#choices.below(6)) {
      case 1:
        return `${row.text}.*, ${rows.keys}`;
      case 2:
        return fields.length < 2 ? `${row.text}.*` : `${row.text}.* EXCEPT (${name}), ${rows.keys}`;
      case 3:
        return `${row.text}.* REPLACE (${this.#value(rows)} AS ${name}), ${rows.keys}`;
      case 4:
        return rows.names.length > 1 ? `${row.text} AS a, ${rows.keys}` : '*';
      case 5:
        return `${table?.text} AS a, ${rows.names.map(({ text }) => `${text} AS b${text}`).join(', ')}`;
      default:
        return rows.names.length > 1 ? `${table?.text}.*, ${rows.keys}` : '*';
    }
  }

  /** A value as text or JSON. */
  #shown(rows: Rows): string {
    const { text } = this.#any(rows);
    return this.#choices.pick([
      `TO_JSON_STRING(${text})`,
      `TO_JSON(${text})`,
      `FORMAT('%T', ${text})`,
      `FORMAT('%t', ${text})`,
      `TO_JSON_STRING(TO_JSON(${text}))`,
      `JSON_TYPE(TO_JSON(${text}))`,
      `TO_JSON_STRING([${text}])`,
    ]);
  }

  #struct(rows: Rows): string {
    const [a, b] = [this.#any(rows).text, this.#any(rows).text];
    return this.#choices.pick([
      `STRUCT(${a} AS x, ${b} AS y)`,
      `STRUCT(${a} AS x, [${this.#scalar(rows).text}] AS y)`,
      `STRUCT(STRUCT(${a} AS x) AS x, ${b} AS y).x`,
      `IF(${this.#condition(rows, 1)}, STRUCT(${a} AS x), NULL)`,
      `(SELECT AS STRUCT ${a} AS x, ${b} AS y)`,
      `(SELECT AS STRUCT ${a} AS x FROM UNNEST([1]) WHERE ${this.#condition(rows, 1)})`,
    ]);
  }

  /** Comparisons of whole records, and tests of them. */
  #compared(rows: Rows): string {
    const isCompared = ({ type }: Path) => type.kind === 'struct' && isComparable(type);
    const one = this.#pick(rows, isCompared) ?? this.#scalar(rows);
    const same = this.#pick(rows, ({ type }) => sameType(type, one.type)) ?? one;
    const list = this.#pick(rows, ({ type }) => type.kind === 'array' && sameType(type.element, one.type));
    const among =
      list === null
        ? `${one.text} IN (${same.text}, ${one.text})`
        : this.#choices.pick([
            `${one.text} IN UNNEST(${list.text})`,
            `${one.text} IN (SELECT x FROM UNNEST(${list.text}) AS x WHERE ${this.#condition(rows, 1)})`,
            `${one.text} NOT IN (SELECT x FROM UNNEST(${list.text}) AS x)`,
          ]);
    return this.#choices.pick([
      `${one.text} = ${same.text}`,
      `${one.text} != ${same.text}`,
      among,
      among,
      `${one.text} IS NULL`,
      `COALESCE(${one.text}, ${same.text})`,
      `IF(${one.text} IS NULL, NULL, ${same.text})`,
      `CASE WHEN ${this.#condition(rows, 1)} THEN ${one.text} ELSE ${same.text} END`,
      `${one.text} IS DISTINCT FROM ${same.text}`,
      `NULLIF(${one.text}, ${same.text})`,
    ]);
  }

  #array(rows: Rows): string {
    const array = this.#pick(rows, ({ type }) => type.kind === 'array');
    if (array?.type.kind !== 'array') return this.#any(rows).text;
    const { text } = array;
    const x: Path = { text: 'x', type: array.type.element };
    const inner = pathsOf(x);
    const value = this.#choices.pick(inner);
    const within: Rows = { ...rows, paths: [...rows.paths, ...inner], names: [...rows.names, x] };
    const where = this.#choices.chance(60) ? ` WHERE ${this.#condition(within, 1)}` : '';
    return this.#choices.pick([
      text,
      `ARRAY(SELECT AS STRUCT ${value.text} AS v, p FROM UNNEST(${text}) AS x WITH OFFSET AS p${where} ORDER BY p)`,
      `ARRAY(SELECT AS STRUCT x AS v, ${this.#any(rows).text} AS w FROM UNNEST(${text}) AS x${where})`,
      `TO_JSON_STRING(ARRAY(SELECT x FROM UNNEST(${text}) AS x WITH OFFSET AS p${where} ORDER BY p DESC))`,
      `TO_JSON_STRING(ARRAY_REVERSE(${text}))`,
      `TO_JSON_STRING(ARRAY_CONCAT(${text}, ${text}))`,
      `TO_JSON_STRING(${text}[SAFE_OFFSET(${this.#choices.below(2)})])`,
      `(SELECT COUNT(*) FROM UNNEST(${text}) AS x${where})`,
      `(SELECT STRING_AGG(TO_JSON_STRING(x), ';' ORDER BY p) FROM UNNEST(${text}) AS x WITH OFFSET AS p${where})`,
      `ARRAY_LENGTH(ARRAY(SELECT DISTINCT TO_JSON_STRING(${value.text}) FROM UNNEST(${text}) AS x${where}))`,
      `(SELECT TO_JSON_STRING(x) FROM UNNEST(${text}) AS x WITH OFFSET AS p${where} ORDER BY p LIMIT 1)`,
      `(SELECT TO_JSON_STRING(ARRAY_AGG(x ORDER BY p)) FROM UNNEST(${text}) AS x WITH OFFSET AS p${where})`,
    ]);
  }

  #window(rows: Rows): string {
    const [by, sorted] = [this.#scalar(rows).text, this.#scalar(rows).text];
    const keys = rows.keys.replaceAll(/ AS \w+/g, '');
    const partition = this.#choices.chance(60) ? `PARTITION BY ${by} ` : '';
    const value = this.#any(rows).text;
    return this.#choices.pick([
      `COUNT(*) OVER (${partition})`,
      `RANK() OVER (${partition}ORDER BY ${sorted})`,
      `COUNT(${this.#scalar(rows).text}) OVER (${partition}ORDER BY ${sorted})`,
      `TO_JSON_STRING(LAG(${value}) OVER (${partition}ORDER BY ${keys}))`,
      `TO_JSON_STRING(FIRST_VALUE(${value}) OVER (${partition}ORDER BY ${keys}))`,
      `ROW_NUMBER() OVER (ORDER BY ${sorted}, ${keys})`,
      `MAX(${sorted}) OVER (${partition}ORDER BY ${keys} ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)`,
      `COUNTIF(${this.#condition(rows, 1)}) OVER (${partition})`,
    ]);
  }

  #setOperation(rows: Rows): string {
    const value = this.#choices.chance(50) ? this.#scalar(rows) : this.#any(rows);
    const others = rows.paths.filter(({ type }) => sameType(type, value.type));
    const parts = this.#choices.several(2, 3, () => {
      const other = others.length > 0 ? this.#choices.pick(others) : value;
      return `SELECT ${other.text} AS a FROM ${rows.items.join(' ')}${this.#where(rows)}`;
    });
    const isPlain = isScalar(value.type, ...SORTABLE);
    const operator = isPlain
      ? this.#choices.pick(['UNION ALL', 'UNION DISTINCT', 'INTERSECT DISTINCT', 'EXCEPT DISTINCT'])
      : 'UNION ALL';
    return parts.join(` ${operator} `);
  }

  #pivot(rows: Rows): string {
    const text = this.#pick(rows, ({ type }) => isScalar(type, 'STRING')) ?? { text: `''` };
    const value = this.#scalar(rows).text;
    const aggregate = this.#choices.pick(['COUNT(v)', 'MAX(v)', 'COUNT(*)', 'MIN(v) AS m, COUNT(*) AS n']);
    const key = this.#choices.pick([rows.keys, `${computed(this.#scalar(rows).text)} AS g`]);
    return `SELECT * FROM (SELECT ${key}, CONCAT(${text.text}, '') AS f, ${computed(value)} AS v FROM ${rows.items.join(' ')}${this.#where(rows)}) PIVOT (${aggregate} FOR f IN ('a', 'b' AS other, '/rest' AS r))`;
  }

  #unpivot(rows: Rows): string {
    const one = this.#scalar(rows);
    const other = this.#pick(rows, ({ type }) => sameType(type, one.type)) ?? one;
    const nulls = this.#choices.pick(['', 'INCLUDE NULLS ']);
    return `SELECT * FROM (SELECT ${rows.keys}, ${computed(one.text)} AS p, ${computed(other.text)} AS q FROM ${rows.items.join(' ')}) UNPIVOT ${nulls}(v FOR k IN (p, q AS 'other'))`;
  }

  #piped(rows: Rows): string {
    const operators = this.#choices.several(0, 3, (index): string => {
      const value = this.#any(rows).text;
      return this.#choices.pick([
        `WHERE ${this.#condition(rows, 2)}`,
        `EXTEND ${value} AS e${index}`,
        `EXTEND ${this.#window(rows)} AS e${index}`,
        `WHERE ${this.#condition(rows, 1)}`,
        `EXTEND TO_JSON_STRING(${value}) AS e${index}`,
      ]);
    });
    const keys = rows.keys.replaceAll(/ AS \w+/g, '');
    const end = this.#choices.pick([
      `SELECT ${this.#columns(rows, () => this.#value(rows))}`,
      `AGGREGATE COUNT(*) AS n, COUNTIF(${this.#condition(rows, 1)}) AS m GROUP BY ${this.#scalar(rows).text} AS g`,
      `AGGREGATE TO_JSON_STRING(ARRAY_AGG(${this.#any(rows).text} IGNORE NULLS ORDER BY ${keys})) AS a GROUP BY ${this.#scalar(rows).text} AS g`,
      `SELECT ${rows.keys}, ${this.#any(rows).text} AS a |> DISTINCT`,
      `SELECT ${rows.keys}, ${this.#value(rows)} AS a, ${this.#value(rows)} AS b |> SET a = NULL |> DROP b`,
      `AS whole |> SELECT TO_JSON_STRING(whole) AS a`,
      `ORDER BY ${keys} |> LIMIT ${this.#choices.pick([100, 1, 3])} |> SELECT ${rows.keys}, ${this.#any(rows).text} AS a`,
    ]);
    return [...rows.pipes, ...operators, end].join(' |> ');
  }

  #grouped(rows: Rows): string {
    const key = this.#choices.chance(60) ? this.#scalar(rows).text : this.#condition(rows, 2);
    const keys = rows.keys.replaceAll(/ AS \w+/g, '');
    const value = this.#any(rows).text;
    const aggregate = this.#choices.pick([
      'COUNT(*)',
      `TO_JSON_STRING(ARRAY_AGG(${value} IGNORE NULLS ORDER BY ${keys}))`,
      `COUNT(DISTINCT ${this.#scalar(rows).text})`,
      `STRING_AGG(TO_JSON_STRING(${value}), ';' ORDER BY ${keys})`,
      `LOGICAL_AND(${this.#condition(rows, 1)})`,
      `MAX(${this.#scalar(rows).text})`,
      `ARRAY_LENGTH(ARRAY_CONCAT_AGG([${this.#scalar(rows).text}]))`,
      `TO_JSON_STRING(ARRAY_AGG(STRUCT(${value} AS v) ORDER BY ${keys} LIMIT 2))`,
    ]);
    const having = this.#choices.pick([
      '',
      ` HAVING COUNTIF(${this.#condition(rows, 1)}) > 0`,
      ' HAVING COUNT(*) >= (SELECT MIN(x) FROM UNNEST([1, 2]) AS x)',
    ]);
    const by = this.#choices.pick(['g', 'ROLLUP (g)', 'g']);
    return `SELECT ${key} AS g, ${aggregate} AS a FROM ${rows.items.join(' ')}${this.#where(rows)} GROUP BY ${by}${having}`;
  }

  #sorted(rows: Rows): string {
    const keys = rows.keys.replaceAll(/ AS \w+/g, '');
    const direction = this.#choices.pick(['', ' DESC', ' NULLS LAST', ' DESC NULLS FIRST']);
    const sorted = this.#choices.chance(40) ? this.#condition(rows, 2) : this.#scalar(rows).text;
    const limit = this.#choices.pick(['', ' LIMIT 1', ' LIMIT 3', ' LIMIT 2 OFFSET 1']);
    return `SELECT ${rows.keys}, ${this.#value(rows)} AS a FROM ${rows.items.join(' ')}${this.#where(rows)} ORDER BY ${sorted}${direction}, ${keys}${limit}`;
  }

  #where(rows: Rows): string {
    return this.#choices.chance(40) ? ` WHERE ${this.#condition(rows, 2)}` : '';
  }

  #value(rows: Rows): string {
    switch (this.#choices.below(6)) {
      case 1:
        return this.#shown(rows);
      case 2:
        return this.#struct(rows);
      case 3:
        return this.#compared(rows);
      case 4:
        return this.#array(rows);
      case 5:
        return this.#condition(rows, 2);
      default:
        return this.#any(rows).text;
    }
  }

  /** A BOOL; with `room`, subqueries over arrays of the row. */
  #condition(rows: Rows, room: number): string {
    const scalar = this.#scalar(rows);
    const isText = isScalar(scalar.type, 'STRING');
    const same = this.#pick(rows, ({ type }) => sameType(type, scalar.type)) ?? scalar;
    const word = JSON.stringify(this.#choices.pick(TEXTS));
    const plain = [
      `${scalar.text} IS NOT NULL`,
      `${scalar.text} IS NULL`,
      `${this.#any(rows).text} IS NULL`,
      `${scalar.text} = ${same.text}`,
      `${scalar.text} >= ${same.text}`,
      isText ? `${scalar.text} < ${word}` : 'TRUE',
      isText ? `${scalar.text} LIKE '%a%'` : `${scalar.text} IN (${same.text})`,
      `TO_JSON_STRING(${this.#any(rows).text}) != '{}'`,
    ];
    const array = room > 0 ? this.#pick(rows, ({ type }) => type.kind === 'array') : null;
    if (array?.type.kind !== 'array' || this.#choices.chance(40)) return this.#choices.pick(plain);
    const x: Path = { text: this.#name('x'), type: array.type.element };
    const within: Rows = { ...rows, paths: [...pathsOf(x), ...rows.paths], names: [...rows.names, x] };
    const where = this.#choices.chance(70) ? ` WHERE ${this.#condition(within, room - 1)}` : '';
    const found = pathsOf(x).filter(({ type }) => sameType(type, scalar.type));
    const sought = found.length > 0 ? this.#choices.pick(found).text : same.text;
    const elements = `FROM UNNEST(${array.text}) AS ${x.text}`;
    return this.#choices.pick([
      `EXISTS (SELECT 1 ${elements}${where})`,
      `NOT EXISTS (SELECT 1 ${elements}${where})`,
      `${scalar.text} IN (SELECT ${sought} ${elements}${where})`,
      `${scalar.text} NOT IN (SELECT ${sought} ${elements}${where})`,
      `(SELECT COUNT(*) ${elements}${where}) > 0`,
      `(SELECT MAX(${sought}) ${elements}${where}) = ${scalar.text}`,
      `${scalar.text} = (SELECT ${sought} ${elements} WITH OFFSET AS p${where} ORDER BY p LIMIT 1)`,
      `ARRAY_LENGTH(ARRAY(SELECT ${sought} ${elements}${where})) = 1`,
      `(SELECT LOGICAL_OR(${this.#condition(within, room - 1)}) ${elements})`,
    ]);
  }

  /** A scalar that can be compared, grouped and sorted by. */
  #scalar(rows: Rows): Path {
    return this.#pick(rows, ({ type }) => isScalar(type, ...SORTABLE)) ?? this.#any(rows);
  }

  #any(rows: Rows): Path {
    return this.#pick(rows, () => true) ?? { text: '1', type: { kind: 'scalar', name: 'INT64' } };
  }

  /** Half of the time one of the last paths, which lie deepest. */
  #pick(rows: Rows, isMeant: (path: Path) => boolean): Path | null {
    const found = [...rows.paths, ...rows.names].filter(isMeant);
    if (found.length === 0) return null;
    return this.#choices.pick(this.#choices.chance(50) ? found.slice(-4) : found);
  }

  #name(prefix: string): string {
    this.#names += 1;
    return `${prefix}${this.#names}`;
  }
}

/** The value of a path, which is no longer its column: pivots do not take a column twice. */
const computed = (path: string) => `IF(TRUE, ${path}, ${path})`;

function isComparable(type: Type): boolean {
  if (type.kind === 'struct') return type.fields.every((field) => isComparable(field.type));
  return type.kind === 'scalar' && type.name !== 'JSON';
}

/** What can be reached from a value by names of fields. */
function pathsOf(root: Path): readonly Path[] {
  const below = ({ text, type }: Path, steps: number): readonly Path[] => {
    if (type.kind !== 'struct' || steps === 0) return [];
    return type.fields.flatMap(({ name, type: inner }: NamedType) => {
      const path = { text: `${text}.\`${name}\``, type: inner };
      return [path, ...below(path, steps - 1)];
    });
  };
  const inner = below(root, MOST_STEPS);
  return inner.length > 0 ? inner : [root];
}
