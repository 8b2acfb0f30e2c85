import { expression, list, orderItems, path, windowSpec } from './expressions.ts';
import { ALIASES, COLUMNS, SOURCES } from './names.ts';
import type { Random } from './random.ts';

/** A whole query of the grammar; deeper ones hold queries themselves. */
export function query(random: Random, depth: number, isWhole = false): string {
  if (depth > 1 && random.chance(0.08)) return piped(random, depth);
  const parts = [
    random.chance(depth > 1 ? 0.2 : 0)
      ? `with ${isWhole && random.chance(0.4) ? 'recursive ' : ''}${random.several(1, 2, () => `${cteName(random)} as (${query(random, depth - 1)})`).join(', ')}`
      : '',
    body(random, depth),
    random.chance(0.3) ? `order by ${orderItems(random, depth - 1)}` : '',
    random.chance(0.3)
      ? `limit ${random.pick(['10', '@n', '1000'])}${random.chance(0.3) ? ' offset 5' : ''}`
      : '',
  ];
  return parts.filter(Boolean).join(' ');
}

function body(random: Random, depth: number): string {
  if (depth <= 1 || random.chance(0.85)) return select(random, depth - 1);
  const operator = setOperator(random);
  const input = () => (random.chance(0.4) ? `(${query(random, depth - 1)})` : select(random, depth - 1));
  return random.several(2, 3, input).join(` ${operator} `);
}

function setOperator(random: Random): string {
  const plain = random.pick(['union all', 'union distinct', 'intersect distinct', 'except distinct']);
  if (random.chance(0.7)) return plain;
  const mode = random.pick(['', '', 'inner ', 'left ', 'left outer ', 'full ', 'full outer ', 'outer ']);
  const names = random.several(1, 2, () => random.pick(COLUMNS)).join(', ');
  const match = random.pick([
    'by name',
    'by name',
    `by name on (${names})`,
    'corresponding',
    'strict corresponding',
    `corresponding by (${names})`,
    '',
  ]);
  return `${mode}${plain} ${match}`.trim();
}

function select(random: Random, depth: number): string {
  const parts = [
    `select ${random.pick(['', '', '', 'distinct ', 'all ', 'as struct '])}${selectList(random, depth)}`,
    random.chance(0.85) ? `from ${from(random, depth)}` : '',
    random.chance(0.4) ? `where ${expression(random, depth)}` : '',
    random.chance(0.3) ? `group by ${groupItems(random, depth)}` : '',
    random.chance(0.1) ? `having ${expression(random, depth)}` : '',
    random.chance(0.1) ? `qualify ${expression(random, depth)}` : '',
    random.chance(0.1) ? `window w as ${windowSpec(random, depth)}` : '',
  ];
  return parts.filter(Boolean).join(' ');
}

function selectList(random: Random, depth: number): string {
  return `${random.several(1, 3, () => selectItem(random, depth)).join(', ')}${random.chance(0.05) ? ',' : ''}`;
}

function selectItem(random: Random, depth: number): string {
  if (random.chance(0.15))
    return `${random.chance(0.4) ? `${path(random)}.` : ''}*${starModifiers(random, depth)}`;
  return `${expression(random, depth)}${random.pick(['', '', ` as ${random.pick(ALIASES)}`, ` ${random.pick(ALIASES)}`])}`;
}

function starModifiers(random: Random, depth: number): string {
  const except = random.chance(0.3)
    ? ` except (${random.several(1, 2, () => random.pick(COLUMNS)).join(', ')})`
    : '';
  return `${except}${random.chance(0.2) ? ` replace (${expression(random, depth)} as ${random.pick(ALIASES)})` : ''}`;
}

function groupItems(random: Random, depth: number): string {
  return random.pick([
    () => 'all',
    () => list(random, depth),
    () => '1, 2',
    () => '()',
    () => `rollup (${list(random, depth)})`,
    () => `cube (${list(random, depth)})`,
    () => `grouping sets (${random.pick(COLUMNS)}, (${list(random, depth, 2, 3)}), ())`,
    () => `${random.pick(COLUMNS)}, rollup (${list(random, depth)})`,
  ])();
}

function from(random: Random, depth: number): string {
  let text = fromItem(random, depth);
  for (const join of random.several(0, 2, () => random.pick(JOINS))) text += join(random, depth);
  return text;
}

function alias(random: Random): string {
  return random.pick(['', ` ${random.pick(ALIASES)}`, ` as ${random.pick(ALIASES)}`]);
}

const JOINS: readonly ((random: Random, depth: number) => string)[] = [
  (r, d) => `, ${fromItem(r, d)}`,
  (r, d) => ` cross join ${fromItem(r, d)}`,
  (r, d) =>
    ` ${r.pick(['', 'inner ', 'left ', 'left outer ', 'right ', 'full outer '])}join ${fromItem(r, d)} on ${expression(r, d)}`,
  (r, d) => ` ${r.pick(['', 'left ', 'full '])}join ${fromItem(r, d)} using (${r.pick(COLUMNS)})`,
  (r, d) =>
    ` ${r.pick(['', 'left ', 'full '])}join ${fromItem(r, d)}${r.pick(['', ` cross join ${fromItem(r, d)}`])} join ${fromItem(r, d)} on ${expression(r, d)} ${r.pick(['on true', 'using (id)', 'on true on true'])}`,
  (r, d) => ` left join ${unnest(r, d)} on true`,
  (r, d) => `, ${unnest(r, d)}`,
  (r) => `, ${path(r)}${alias(r)}${r.chance(0.2) ? ' with offset' : ''}`,
];

function fromItem(random: Random, depth: number): string {
  if (depth <= 0 || random.chance(0.6)) return `${tableName(random)}${alias(random)}`;
  return random.pick([
    () => `(${query(random, depth - 1)})${alias(random)}`,
    () => `((${query(random, depth - 1)}))${alias(random)}`,
    () => `${pivoted(random, depth)} ${pivot(random, depth)}${alias(random)}`,
    () => `${pivoted(random, depth)} ${unpivot(random)}${alias(random)}`,
    () => unnest(random, depth),
    () => `(${from(random, depth - 1)} join ${fromItem(random, depth - 1)} on true)`,
    () => `(${fromItem(random, depth - 1)} cross join ${fromItem(random, depth - 1)})`,
  ])();
}

function pivoted(random: Random, depth: number): string {
  if (random.chance(0.1)) return unnest(random, depth);
  return random.chance(0.5)
    ? `${tableName(random)}${alias(random)}`
    : `(${query(random, depth - 1)})${alias(random)}`;
}

const AGGREGATES = ['count(*)', 'count(id)', 'max(event_message)', 'any_value(m.a)', 'sum(n) over ()', 'id'];

function pivot(random: Random, depth: number): string {
  const aggregates = random.several(
    1,
    2,
    () => `${random.pick(AGGREGATES)}${random.pick(['', ' as c', ' d', ' as `q.t`'])}`,
  );
  const values = random.several(
    1,
    3,
    () => `${pivotValue(random, depth)}${random.pick(['', ' as x', ' y'])}`,
  );
  const input = random.pick([
    random.pick(COLUMNS),
    path(random),
    `(${list(random, depth - 1)})`,
    'upper(id)',
  ]);
  return `pivot(${aggregates.join(', ')} for ${input} in (${values.join(', ')}))`;
}

function pivotValue(random: Random, depth: number): string {
  return random.pick([
    () => "'a'",
    () => '-1',
    () => 'null',
    () => "date '2026-01-02'",
    () => expression(random, Math.min(depth - 1, 1)),
    () => `(select ${random.pick(COLUMNS)} from ${tableName(random)})`,
  ])();
}

function unpivot(random: Random): string {
  const isPair = random.chance(0.3);
  const column = () => random.pick([random.pick(COLUMNS), path(random)]);
  const group = () => (isPair ? `(${column()}, ${column()})` : column());
  const groups = random.several(1, 3, () => `${group()}${random.pick(['', " as 'l'", ' 1', " 'x'"])}`);
  const nulls = random.pick(['', ' include nulls ', ' exclude nulls ']);
  return `unpivot${nulls}(${isPair ? '(v, w)' : 'v'} for k in (${groups.join(', ')}))`;
}

function unnest(random: Random, depth: number): string {
  return `unnest(${expression(random, Math.min(depth, 1))})${alias(random)}${random.pick(['', '', ' with offset', ' with offset as o', ' with offset i'])}`;
}

function tableName(random: Random): string {
  if (random.chance(0.8)) return random.pick([...SOURCES.slice(0, 3), ...ALIASES.slice(0, 4)]);
  return random.pick([
    'secret.t',
    'logs.edge_logs',
    '`edge_logs`',
    '`a.b`',
    'm.request',
    'edge_logs.metadata',
    't',
    'x.y.z',
    'INFORMATION_SCHEMA.TABLES',
    'users',
  ]);
}

function cteName(random: Random): string {
  return random.pick(['a', 'b', 't', 'n', 'edge_logs', 'm', 'metadata', 'secret', '`q`']);
}

function piped(random: Random, depth: number): string {
  const steps = random.several(random.chance(0.9) ? 1 : 0, 3, () => random.pick(PIPES)(random, depth - 2));
  const start = random.chance(0.8) ? `from ${from(random, depth - 1)}` : select(random, depth - 1);
  return `${start} ${steps.map((step) => `|> ${step}`).join(' ')}`;
}

function comma(random: Random): string {
  return random.chance(0.1) ? ',' : '';
}

const PIPES: readonly ((random: Random, depth: number) => string)[] = [
  (r, d) => `where ${expression(r, d)}`,
  (r, d) => `select ${selectList(r, d)}`,
  (r, d) => `${r.pick(['extend', 'extend', 'window'])} ${expression(r, d)} as ${r.pick(ALIASES)}${comma(r)}`,
  (r, d) => `set ${r.pick(COLUMNS)} = ${expression(r, d)}${comma(r)}`,
  (r) => `drop ${r.several(1, 2, () => r.pick(COLUMNS)).join(', ')}${comma(r)}`,
  (r) => `rename ${r.pick(COLUMNS)} as ${r.pick(ALIASES)}`,
  (r) => `as ${r.pick(ALIASES)}`,
  (r, d) =>
    `aggregate ${expression(r, d)} as n${r.pick(['', '', ' desc', ' asc nulls last', ' nulls last', ','])}${r.chance(0.6) ? ` group ${r.pick(['', 'and order '])}by ${expression(r, d)}${r.pick(['', '', ' desc', ' asc', ' nulls last', ' as k', ' as k desc nulls first'])}` : ''}`,
  (r, d) => `aggregate ${expression(r, d)} as n group by ${groupItems(r, d)}`,
  (r, d) => `order by ${orderItems(r, d)}${comma(r)}`,
  (r, d) => `with ${cteName(r)} as (${query(r, d)})${comma(r)}`,
  (r) => `limit ${r.pick(['1', '10'])}`,
  () => 'distinct',
  (r, d) => `join ${fromItem(r, d)} on ${expression(r, d)}`,
  (r, d) => `cross join ${fromItem(r, d)}`,
  (r, d) => `${pivot(r, d)}${alias(r)}`,
  (r) => `${unpivot(r)}${alias(r)}`,
  (r, d) => `${setOperator(r)} ${r.several(1, 2, () => `(${query(r, d)})`).join(', ')}${comma(r)}`,
];
