import type { Random } from './random.ts';

const OPERANDS = [
  ...[
    'a',
    'b',
    'c.d',
    '1',
    "'x'",
    '@x',
    'f(a)',
    '(a)',
    '(a, b)',
    '[a]',
    'a[0]',
    'a[offset(0)]',
    '(select 1)',
    'null',
    'true',
  ],
  ...[
    'case a when b then c end',
    'cast(a as int64)',
    'interval 1 day',
    'array(select 1)',
    'exists(select 1)',
    '(a).b',
    'f(a).b',
  ],
];

const INFIX = [
  ...[
    '|',
    '^',
    '&',
    '<<',
    '>>',
    '+',
    '-',
    '*',
    '/',
    '||',
    'and',
    'or',
    '|',
    '^',
    '&',
    '<<',
    '>>',
    '+',
    '-',
    '*',
    '/',
    '||',
  ],
  ...['=', '!=', '<>', '<', '<=', '>', '>=', 'like', 'not like', 'is distinct from', 'is not distinct from'],
];

const PREFIX = ['-', '+', '~', 'not', '- -', '~ -', 'not not'];

const SUFFIX = [
  ...[
    'is null',
    'is not null',
    'is true',
    'is not false',
    'is unknown',
    'in (1, 2)',
    'not in (a)',
    'in unnest(a)',
    'in (select 1)',
  ],
  ...[
    'between a and b',
    'not between a + 1 and b * 2',
    "like any ('a', b)",
    'not like all (a)',
    'between a and b and c',
  ],
];

/** Operators in a row without parentheses: all that tells how they belong together is their precedence. */
export function operatorQuery(random: Random): string {
  const chains = random.several(1, 3, () => chain(random));
  const where = random.chance(0.4) ? ` where ${chain(random)}` : '';
  const order = random.chance(0.1) ? ` order by ${chain(random)} desc` : '';
  return `select ${chains.join(', ')} from edge_logs${where}${order}`;
}

function chain(random: Random): string {
  let text = operand(random);
  for (const operator of random.several(1, 5, () => random.pick(INFIX))) {
    text += ` ${operator} ${operand(random)}`;
    if (random.chance(0.08)) text += ` ${random.pick(SUFFIX)}`;
  }
  return random.chance(0.15) ? `${text} ${random.pick(SUFFIX)}` : text;
}

function operand(random: Random): string {
  const text = random.pick(OPERANDS);
  return random.chance(0.15) ? `${random.pick(PREFIX)} ${text}` : text;
}
