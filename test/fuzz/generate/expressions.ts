import { ALIASES, COLUMNS, DATE_PARTS, FUNCTIONS, LITERALS, TYPES, WINDOW_FUNCTIONS } from './names.ts';
import { query } from './queries.ts';
import type { Random } from './random.ts';

type Form = (random: Random, depth: number) => string;

const BINARY = [
  '+',
  '-',
  '*',
  '/',
  '||',
  '&',
  '|',
  '^',
  '<<',
  '>>',
  '=',
  '!=',
  '<>',
  '<',
  '<=',
  '>',
  '>=',
  'and',
  'or',
  'like',
  'not like',
  'is distinct from',
  'is not distinct from',
];

/** An expression; with no depth left, a name or a literal. */
export function expression(random: Random, depth: number): string {
  if (depth <= 0 || random.chance(0.25)) return random.chance(0.6) ? path(random) : random.pick(LITERALS);
  return random.pick(FORMS)(random, depth - 1);
}

export function path(random: Random): string {
  return [
    random.pick(COLUMNS),
    ...random.several(0, random.chance(0.3) ? 3 : 0, () =>
      random.pick([...COLUMNS, 'from', 'select', 'order']),
    ),
  ].join('.');
}

export function list(random: Random, depth: number, min = 1, max = 3): string {
  return random.several(min, max, () => expression(random, depth)).join(', ');
}

const FORMS: readonly Form[] = [
  (r, d) => `${expression(r, d)} ${r.pick(BINARY)} ${expression(r, d)}`,
  (r, d) => `${expression(r, d)} ${r.pick(BINARY)} ${expression(r, d)}`,
  (r, d) => `(${expression(r, d)} ${r.pick(BINARY)} ${expression(r, d)})`,
  (r, d) => `${r.pick(['not ', '- ', '+', '~', 'not not '])}${expression(r, d)}`,
  (r, d) => `(${expression(r, d)})`,
  (r, d) => `${expression(r, d)} is ${r.pick(['', 'not '])}${r.pick(['null', 'true', 'false', 'unknown'])}`,
  (r, d) => `${expression(r, d)} ${r.pick(['', 'not '])}between ${expression(r, d)} and ${expression(r, d)}`,
  (r, d) =>
    `${expression(r, d)} ${r.pick(['', 'not '])}in ${r.pick([`(${list(r, d)})`, `unnest(${expression(r, d)})`, `(${query(r, d)})`])}`,
  (r, d) =>
    `${expression(r, d)} ${r.pick(['', 'not '])}like ${r.pick(['any', 'some', 'all'])} (${list(r, d)})`,
  (r, d) =>
    `case ${r.chance(0.4) ? expression(r, d) : ''} ${r.several(1, 2, () => `when ${expression(r, d)} then ${expression(r, d)}`).join(' ')} ${r.chance(0.5) ? `else ${expression(r, d)}` : ''} end`,
  (r, d) =>
    `${r.pick(['cast', 'safe_cast'])}(${expression(r, d)} as ${r.pick(TYPES)}${r.chance(0.1) ? " format 'YYYY'" : ''})`,
  (r, d) =>
    `extract(${r.pick(DATE_PARTS)} from ${expression(r, d)}${r.chance(0.2) ? " at time zone 'UTC'" : ''})`,
  (r, d) => `interval ${expression(r, d)} ${r.pick(DATE_PARTS.slice(0, 5))}`,
  (r, d) => `timestamp_trunc(${expression(r, d)}, ${r.pick(DATE_PARTS)})`,
  (r, d) =>
    `${expression(r, d)}[${r.pick(['offset', 'safe_offset', 'ordinal', 'safe_ordinal', 'OFFSET'])}(${expression(r, d)})]`,
  (r, d) => `${expression(r, d)}[${expression(r, d)}]`,
  (r, d) => `(${expression(r, d)}).${r.pick(COLUMNS)}`,
  (r, d) => `struct(${list(r, d)})`,
  (r, d) => `struct(${expression(r, d)} as ${r.pick(ALIASES)}, ${expression(r, d)})`,
  (r, d) => `struct<a int64, b string>(${list(r, d, 2, 2)})`,
  (r, d) => `(${list(r, d, 2, 3)})`,
  (r, d) => `[${list(r, d, 0, 3)}]`,
  (r, d) => `array<${r.pick(TYPES)}>[${list(r, d, 0, 2)}]`,
  (r, d) => `array(${query(r, d)})`,
  (r, d) => `(${query(r, d)})`,
  (r, d) => `${r.pick(['', 'not '])}exists(${query(r, d)})`,
  call,
  call,
  aggregate,
  (r, d) => `${r.pick(WINDOW_FUNCTIONS)} over ${r.chance(0.2) ? 'w' : windowSpec(r, d)}`,
  (r, d) => `array_filter(${expression(r, d)}, ${r.pick(['e', '(e, i)'])} -> ${expression(r, d)})`,
  (r, d) => `parse_json(${expression(r, d)}, wide_number_mode => ${expression(r, d)})`,
  (r, d) => `with(${r.pick(ALIASES)} as ${expression(r, d)}, ${expression(r, d)})`,
  (r) => r.pick(['current_timestamp', 'current_date', 'CURRENT_DATETIME', 'current_date()']),
];

function call(random: Random, depth: number): string {
  const [name, min, max] = random.pick(FUNCTIONS);
  return `${name}(${list(random, depth, min, max)})`;
}

function aggregate(random: Random, depth: number): string {
  const inside = [
    random.chance(0.3) ? 'distinct ' : '',
    expression(random, depth),
    random.chance(0.2) ? random.pick([' ignore nulls', ' respect nulls']) : '',
    random.chance(0.1) ? ` having ${random.pick(['max', 'min'])} ${expression(random, depth)}` : '',
    random.chance(0.3) ? ` order by ${orderItems(random, depth)}` : '',
    random.chance(0.2) ? ' limit 3' : '',
  ];
  return random.chance(0.2)
    ? 'count(*)'
    : `${random.pick(['array_agg', 'string_agg', 'any_value'])}(${inside.join('')})`;
}

export function orderItems(random: Random, depth: number): string {
  const item = () =>
    `${expression(random, depth)}${random.pick(['', ' asc', ' desc', ' desc nulls last', ' nulls first'])}`;
  return random.several(1, 2, item).join(', ');
}

export function windowSpec(random: Random, depth: number): string {
  const bound = () =>
    random.pick(['unbounded preceding', 'current row', '1 preceding', '2 following', 'unbounded following']);
  const parts = [
    random.chance(0.1) ? 'w' : '',
    random.chance(0.6) ? `partition by ${list(random, depth, 1, 2)}` : '',
    random.chance(0.7) ? `order by ${orderItems(random, depth)}` : '',
    random.chance(0.3)
      ? `${random.pick(['rows', 'range'])} ${random.chance(0.6) ? `between ${bound()} and ${bound()}` : bound()}`
      : '',
  ];
  return `(${parts.filter(Boolean).join(' ')})`;
}
