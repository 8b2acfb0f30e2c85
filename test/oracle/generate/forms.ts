import { arrayOf, INT64, type SqlType, STRING } from '../../../shared/sql/types/sql-type.ts';
import type { Random } from '../../fuzz/generate/random.ts';
import type { GeneratedQuery } from './query.ts';
import { list, type SqlTree, sequence } from './sql-tree.ts';

/** The types of columns that the forms of queries are tried with. */
type Plain = 'INT64' | 'STRING' | 'BOOL';

interface PlainColumn {
  readonly name: string;
  readonly type: Plain;
}

const ELEMENT: SqlType = {
  kind: 'STRUCT',
  fields: [
    { name: 'p', type: INT64 },
    { name: 'q', type: STRING },
  ],
};
const COLUMNS: readonly PlainColumn[] = [
  { name: 'id', type: 'INT64' },
  { name: 'k', type: 'STRING' },
  { name: 'n', type: 'INT64' },
  { name: 'b', type: 'BOOL' },
];
const VALUES: Readonly<Record<Plain, readonly string[]>> = {
  INT64: ['0', '1', '2', '-1', '7', 'NULL'],
  STRING: ["'a'", "'b'", "''", "'B'", 'NULL'],
  BOOL: ['TRUE', 'FALSE', 'NULL'],
};

/** A query of the forms that hold others: pipes, PIVOT, UNPIVOT, set operations by name, aliases in subqueries. */
export function formQuery(random: Random): GeneratedQuery {
  const form = random.pick([pipes, pipes, pivot, pivot, unpivot, byName, aliases]);
  return { tree: sequence('WITH ', tableOf(random), ' ', form(random)), ordered: false, unordered: [] };
}

function tableOf(random: Random): SqlTree {
  const rows = random.several(0, 6, (index) => [
    String(index + 1),
    ...COLUMNS.slice(1).map(({ type }) => scalar(random, type, [])),
    `ARRAY<STRUCT<p INT64, q STRING>>[${random
      .several(0, 3, () => `STRUCT(${random.pick(VALUES.INT64)}, ${random.pick(VALUES.STRING)})`)
      .join(', ')}]`,
  ]);
  const columns = [
    ...COLUMNS.map(({ name, type }) => ({ name, type: { kind: type } })),
    { name: 'a', type: arrayOf(ELEMENT) },
  ];
  return { kind: 'table', name: 't', columns, rows, keptColumns: columns.length };
}

/** A value of a type over columns. */
function scalar(random: Random, type: Plain, columns: readonly PlainColumn[]): string {
  const fitting = columns.filter((column) => column.type === type);
  if (fitting.length > 0 && random.chance(0.7)) return random.pick(fitting).name;
  const numbers = columns.filter((column) => column.type === 'INT64');
  if (numbers.length > 0 && random.chance(0.5)) {
    const number = random.pick(numbers).name;
    if (type === 'INT64') return `${number} + 1`;
    return type === 'BOOL' ? `${number} > 1` : `CAST(${number} AS STRING)`;
  }
  const literal = random.pick(VALUES[type]);
  return literal === 'NULL' ? `CAST(NULL AS ${type})` : literal;
}

const TYPES: readonly Plain[] = ['INT64', 'STRING', 'BOOL'];
const anyType = (random: Random) => random.pick(TYPES);

/** A window function that has one answer, whatever the order of rows that are alike. */
function windowed(random: Random, columns: readonly PlainColumn[]): string {
  const partition = random.chance(0.5) ? `PARTITION BY ${random.pick(columns).name} ` : '';
  return random.pick([
    () => `COUNT(*) OVER (${partition.trim()})`,
    () => `SUM(${scalar(random, 'INT64', columns)}) OVER (${partition.trim()})`,
    () =>
      `RANK() OVER (${partition}ORDER BY ${random.pick(columns).name}${random.pick(['', ' DESC', ' NULLS LAST'])})`,
  ])();
}

const AGGREGATES: Readonly<Record<string, (random: Random, columns: readonly PlainColumn[]) => string>> = {
  count: () => 'COUNT(*)',
  some: (random, columns) =>
    `COUNT(${random.chance(0.3) ? 'DISTINCT ' : ''}${scalar(random, anyType(random), columns)})`,
  sum: (random, columns) => `SUM(${scalar(random, 'INT64', columns)})`,
  max: (random, columns) => `MAX(${scalar(random, 'INT64', columns)})`,
  condition: (random, columns) => `COUNTIF(${scalar(random, 'BOOL', columns)})`,
};

/** An aggregate whose result is an INT64. */
const aggregate = (random: Random, columns: readonly PlainColumn[]) =>
  random.pick(Object.values(AGGREGATES))(random, columns);

interface Step {
  readonly text: string;
  readonly columns: readonly PlainColumn[];
}

type StepMaker = (random: Random, columns: readonly PlainColumn[], fresh: () => string) => Step;

const kept = (text: string, columns: readonly PlainColumn[]): Step => ({ text, columns });

/** One of the columns, and the others. */
function oneOf(random: Random, columns: readonly PlainColumn[]) {
  const one = random.pick(columns);
  return { one, others: columns.filter((column) => column !== one) };
}

const STEPS: readonly StepMaker[] = [
  (random, columns) => kept(`WHERE ${scalar(random, 'BOOL', columns)}`, columns),
  (random, columns) => kept(`WHERE ${windowed(random, columns)} > 1`, columns),
  (random, columns, fresh) => {
    const name = fresh();
    const word = random.pick(['EXTEND', 'WINDOW']);
    return {
      text: `${word} ${windowed(random, columns)} AS ${name}`,
      columns: [...columns, { name, type: 'INT64' }],
    };
  },
  (random, columns, fresh) => {
    const [name, type] = [fresh(), anyType(random)];
    return {
      text: `EXTEND COALESCE(${scalar(random, type, columns)}) AS ${name},`,
      columns: [...columns, { name, type }],
    };
  },
  (random, columns) => {
    const { one } = oneOf(random, columns);
    const type = random.chance(0.3) ? 'INT64' : anyType(random);
    const value =
      type === 'INT64' && random.chance(0.5) ? windowed(random, columns) : scalar(random, type, columns);
    return {
      // A plain column would be a copy, which PIVOT and UNPIVOT refuse.
      text: `SET ${one.name} = ${value}`,
      columns: columns.map((column) => (column === one ? { ...column, type } : column)),
    };
  },
  (random, columns) => {
    const { one, others } = oneOf(random, columns);
    return others.length === 0 ? kept('DISTINCT', columns) : { text: `DROP ${one.name}`, columns: others };
  },
  (random, columns, fresh) => {
    const { one } = oneOf(random, columns);
    const name = fresh();
    return {
      // The evaluator takes a renamed column for a table's alias in a PIVOT further on; SELECT ends that.
      text: `RENAME ${one.name} AS ${name} |> SELECT *`,
      columns: columns.map((column) => (column === one ? { ...column, name } : column)),
    };
  },
  (_, columns) => kept('DISTINCT', columns),
  (_, columns, fresh) => kept(`AS ${fresh()}`, columns),
  (random, columns) =>
    kept(`ORDER BY ${windowed(random, columns)}, ${random.pick(columns).name} DESC`, columns),
  (random, columns, fresh) => {
    const { one } = oneOf(random, columns);
    const name = fresh();
    const call = `${aggregate(random, columns)} AS ${name}${random.pick(['', ' DESC', ' ASC'])}`;
    const group = random.pick([
      `GROUP BY ${one.name}${random.pick(['', ' DESC'])}`,
      `GROUP AND ORDER BY ${one.name}`,
      `GROUP BY GROUPING SETS(${one.name}, ${one.name})`,
    ]);
    return { text: `AGGREGATE ${call} ${group}`, columns: [one, { name, type: 'INT64' }] };
  },
  (random, columns) => {
    const list = columns.map(({ type }) => scalar(random, type, [])).join(', ');
    const named = columns
      .map(({ name, type }) => `${scalar(random, type, [])} AS ${name}`)
      .reverse()
      .join(', ');
    return kept(
      random.pick([
        `UNION ALL (SELECT ${list}), (SELECT ${list})`,
        `UNION DISTINCT (SELECT ${list})`,
        `UNION ALL BY NAME (SELECT ${named})`,
        `EXCEPT DISTINCT (SELECT ${list})`,
      ]),
      columns,
    );
  },
  (random, columns, fresh) => {
    const name = fresh();
    return {
      text: `SELECT ${columns.map((column) => column.name).join(', ')}, ${windowed(random, columns)} AS ${name}`,
      columns: [...columns, { name, type: 'INT64' }],
    };
  },
  (random, columns, fresh) => {
    const numbers = columns.filter(({ type }) => type === 'INT64');
    if (numbers.length === 0) return kept('DISTINCT', columns);
    const [value, label] = [fresh(), fresh()];
    const others = columns.filter(({ type }) => type !== 'INT64');
    const nulls = random.pick(['', 'INCLUDE NULLS ', 'EXCLUDE NULLS ']);
    return {
      // DISTINCT makes new columns: copies of one are refused.
      text: `DISTINCT |> UNPIVOT ${nulls}(${value} FOR ${label} IN (${numbers.map(({ name }) => name).join(', ')}))`,
      columns: [...others, { name: value, type: 'INT64' }, { name: label, type: 'STRING' }],
    };
  },
];

function pipes(random: Random): SqlTree {
  let columns = COLUMNS;
  let count = 0;
  const fresh = () => `x${count++}`;
  const texts: string[] = [];
  // An unnested array is one column, and its fields are names.
  const isUnnested = random.chance(0.4);
  if (isUnnested && random.chance(0.5)) {
    const [name, type] = [fresh(), random.pick(['INT64', 'STRING'] as const)];
    texts.push(`|> EXTEND ${type === 'INT64' ? 'm.p' : 'q'} AS ${name}`);
    columns = [...columns, { name, type }];
  }
  texts.push(`|> DROP a`);
  if (isUnnested) {
    if (random.chance(0.5)) texts.push('|> WHERE p > 0 OR q IS NULL');
    texts.push(random.pick(['|> DROP m', '|> SELECT * EXCEPT(p, q)', '|> SET m = 5 |> DROP m']));
  }
  for (const make of random.several(1, 4, () => random.pick(STEPS))) {
    const step = make(random, columns, fresh);
    columns = step.columns;
    texts.push(`|> ${step.text}`);
  }
  return sequence(
    `FROM t${isUnnested ? random.pick([', UNNEST(a) AS m', ', t.a AS m']) : ''} `,
    list(texts, 1, ' '),
  );
}

function pivot(random: Random): SqlTree {
  const columns = COLUMNS.filter(() => random.chance(0.8));
  const all = columns.length === 0 ? COLUMNS : columns;
  const { one, others } = oneOf(random, all);
  const input = random.chance(0.8) ? one.name : scalar(random, one.type, all);
  const values = random.several(1, 3, (index) => {
    const value = random.pick(VALUES[one.type]);
    return sequence(value === 'NULL' ? `CAST(NULL AS ${one.type})` : value, ` AS v${index}`);
  });
  const isOnly = random.chance(0.5);
  const calls = isOnly
    ? [aggregate(random, all)]
    : random.several(1, 2, (index) => `${aggregate(random, all)} AS s${index}`);
  const clause = sequence(
    'PIVOT(',
    list(calls),
    ` FOR ${input.includes(' ') ? `(${input})` : input} IN (`,
    list(values),
    '))',
  );
  const names = [one, ...others].map(({ name }) => name).join(', ');
  return random.chance(0.3)
    ? sequence(`FROM t |> SELECT ${names} |> `, clause)
    : sequence(`SELECT * FROM (SELECT ${names} FROM t) `, clause);
}

function unpivot(random: Random): SqlTree {
  const nulls = random.pick(['', 'INCLUDE NULLS ', 'EXCLUDE NULLS ']);
  const label = () => random.pick(['', " AS 'l'", " 'm'"]);
  const clause = random.pick([
    () => sequence('(v FOR w IN (', list([`id${label()}`, `n${label()}`, `z${label()}`]), '))'),
    () => '(v FOR w IN (id AS 1, n AS 2))',
    () => sequence('((v, u) FOR w IN (', list([`(id, k)${label()}`, `(n, j)${label()}`]), '))'),
    () => '(v FOR w IN (k, j))',
  ])();
  const rows = '(SELECT id, k, n, b, n + id AS z, CAST(id AS STRING) AS j FROM t)';
  return sequence(
    `SELECT * FROM ${rows} AS r UNPIVOT ${nulls}`,
    clause,
    random.chance(0.3) ? ' WHERE w IS NOT NULL' : '',
  );
}

function byName(random: Random): SqlTree {
  const operator = random.pick(['UNION ALL', 'UNION DISTINCT', 'INTERSECT DISTINCT', 'EXCEPT DISTINCT']);
  const mode = random.pick(['', 'INNER ', 'LEFT ', 'LEFT OUTER ', 'FULL ', 'FULL OUTER ']);
  const names = COLUMNS.map(({ name }) => name).filter(() => random.chance(0.5));
  const isListed = names.length > 0 && !mode.startsWith('LEFT');
  const on = isListed && random.chance(0.3) ? ` ON (${names.join(', ')})` : '';
  const by = isListed && random.chance(0.3) ? ` BY (${names.join(', ')})` : '';
  const match = random.pick([
    `BY NAME${on}`,
    `CORRESPONDING${by}`,
    mode === '' ? `STRICT CORRESPONDING${by}` : 'BY NAME',
  ]);
  const input = () => {
    const chosen = COLUMNS.filter(() => random.chance(0.7));
    const items = (chosen.length === 0 ? COLUMNS : chosen).map(({ name, type }) => {
      const isOther = random.chance(0.2);
      return `${isOther ? scalar(random, type, COLUMNS) : name} AS ${random.chance(0.1) ? name.toUpperCase() : name}`;
    });
    if (random.chance(0.5)) items.reverse();
    return `SELECT ${items.join(', ')} FROM t`;
  };
  return list(random.several(2, 3, input), 2, ` ${mode}${operator} ${match} `);
}

/** Aliases that are columns' names, too, in subqueries of HAVING and ORDER BY. */
function aliases(random: Random): SqlTree {
  const [first, second] = [random.pick(['n', 'x']), random.pick(['id', 'y'])];
  const subquery = () =>
    random.pick([
      `(SELECT ${first})`,
      `(SELECT ${first} + ${second})`,
      `(SELECT MAX(e) FROM UNNEST([${first}, ${second}]) AS e)`,
      `(SELECT COUNT(*) FROM t AS s WHERE s.id < ${second})`,
    ]);
  const rows = `SELECT id AS ${first}, COUNT(*) + MAX(IFNULL(n, 0)) AS ${second} FROM t GROUP BY 1 HAVING ${subquery()} > ${random.pick(['0', '1', '2'])}`;
  return random.chance(0.5)
    ? rows
    : `SELECT ARRAY(SELECT AS STRUCT ${first}, ${second} FROM (${rows}) ORDER BY ${first}, ${second}) AS v, (SELECT id AS ${first} FROM t ORDER BY (SELECT -${first}) LIMIT 1) AS w`;
}
