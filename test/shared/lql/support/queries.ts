import fc from 'fast-check';
import { AGGREGATE_NAMES, LEVELS } from '../../../../shared/lql/keywords.ts';
import { parseInstant } from '../../../../shared/lql/parse-instant.ts';
import type { Clause, Condition, Instant } from '../../../../shared/lql/tree.ts';

const PERIODS = ['second', 'minute', 'hour', 'day'] as const;
const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'] as const;
const COMPARISONS = ['=', '>', '>=', '<', '<='] as const;

const NAIVE = ['2024-02-29', '0001-01-01', '9999-12-31', '2024-03-06T14:35:20', '2024-03-06T14:35:20.5'];
const ZONED = ['1709735720', '1709735720123', '1709735720123456', '2024-03-06T14:35:20.123456+01:30'];

function instantOf(texts: readonly string[]): fc.Arbitrary<Instant> {
  return fc.constantFrom(...texts).map((text) => {
    const instant = parseInstant(text);
    if (instant === null) throw new Error(`${text} is no instant`);
    return instant;
  });
}

const name = fc.stringMatching(/^[A-Za-z0-9_]{1,8}$/);
/** Text of all kinds, that which is special in LQL above all. */
const text = fc.oneof(
  name,
  fc.constantFrom('NULL', 'null', '..', 'a..b', '5', '1.5', '-5', '', ' ', '"', '\\', '\\"', 'f:x', '-', '~'),
  fc.string({ unit: fc.constantFrom('a', '"', '\\', ' ', '\n', ':', '(', ')', 'é', '😀', '-', '~', '.') }),
  fc.string({ unit: 'grapheme' }),
);
const regex = fc.oneof(
  name,
  fc.constantFrom('a.c', '(?i)x', '^$', '\\d+', 'a|b', '"', '\\\\', '[ "]', '(a b)', ''),
);
const value = text.map((written) => ({ text: written, at: 0 }));
/** Paths that no clause of their own begins with. */
const path = fc
  .array(fc.constantFrom('metadata', 'a', 'request', 'level', 'A_', '0', '', 'm'), {
    minLength: 1,
    maxLength: 4,
  })
  .map((names) => names.join('.'))
  .filter((written) => written !== '' && !written.startsWith('m.'));
const range = fc.constantFrom(['1', '5'], ['0.5', '4'], ['2024-01-01', '2024-01-02T00:00:00Z']);

const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ kind: fc.constant('message_contains' as const), text }),
  fc.record({ kind: fc.constant('message_matches' as const), regex }),
  fc.record({
    kind: fc.constant('compare' as const),
    path,
    operator: fc.constantFrom(...COMPARISONS),
    value,
  }),
  fc.tuple(path, range).map(([field, [from = '', to = '']]): Condition => {
    return { kind: 'between', path: field, from: { text: from, at: 0 }, to: { text: to, at: 0 } };
  }),
  fc.record({ kind: fc.constant('matches' as const), path, regex }),
  fc.record({ kind: fc.constant('list_contains' as const), path, value }),
  fc.record({ kind: fc.constant('list_matches' as const), path, regex }),
  fc.record({ kind: fc.constant('is_null' as const), path }),
  fc.record({
    kind: fc.constant('levels' as const),
    path: fc.constant('metadata.level'),
    from: fc.constantFrom(...LEVELS),
    to: fc.constantFrom(...LEVELS),
  }),
  fc.record({
    kind: fc.constant('time' as const),
    operator: fc.constantFrom(...COMPARISONS),
    point: fc.oneof(instantOf([...NAIVE, ...ZONED]), fc.constant({ kind: 'now' as const })),
  }),
  fc
    .oneof(fc.tuple(instantOf(NAIVE), instantOf(NAIVE)), fc.tuple(instantOf(ZONED), instantOf(ZONED)))
    .map(([from, to]): Condition => ({ kind: 'time_between', from, to })),
  fc.record({
    kind: fc.constant('day' as const),
    day: fc.constantFrom('today' as const, 'yesterday' as const),
  }),
  fc.record({ kind: fc.constant('this' as const), unit: fc.constantFrom(...UNITS) }),
  fc.record({
    kind: fc.constant('last' as const),
    count: fc.nat({ max: 9999 }),
    unit: fc.constantFrom(...UNITS),
  }),
);

const at = fc.constant(0);
const filter = fc.record({ kind: fc.constant('filter' as const), at, negated: fc.boolean(), condition });
const select = fc.oneof(
  fc.record({ kind: fc.constant('select_all' as const), at }),
  fc.record({ kind: fc.constant('select' as const), at, path, alias: fc.option(name) }),
);
const aggregate = fc.record({
  kind: fc.constant('aggregate' as const),
  at,
  function: fc.constantFrom(...AGGREGATE_NAMES),
  path: fc.option(path),
});
const groupBy = fc.record({
  kind: fc.constant('group_by' as const),
  at,
  period: fc.constantFrom(...PERIODS),
});
const from = fc.record({ kind: fc.constant('from' as const), at, source: name });

function atMostOne<T>(one: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.array(one, { maxLength: 1 });
}

/** Trees of queries of all kinds, whether or not a source has what they name. */
export const clauses: fc.Arbitrary<Clause[]> = fc
  .tuple(
    atMostOne(from),
    atMostOne(aggregate),
    atMostOne(groupBy),
    fc.array(select, { maxLength: 4 }),
    fc.array(filter, { maxLength: 6 }),
  )
  .chain((parts) => {
    const all: Clause[] = parts.flat();
    return fc.shuffledSubarray(all, { minLength: all.length });
  });

/** Text made of what LQL is made of, in any order. */
export const likelyText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...pieces()) },
      { weight: 3, arbitrary: fc.constantFrom(' ', ' ', ' ', '\t', '\n', '\r') },
      { weight: 2, arbitrary: fc.constantFrom(...' "\\()-~:.@<>=*{}[]|_%\'`é😀\0\ud800') },
      { weight: 1, arbitrary: fc.string({ maxLength: 3 }) },
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

function pieces(): string[] {
  const heads =
    'f: from: s: select: c: chart: t: timestamp: -t: m. metadata. m.level: m.request. id: m.tags: m.ids:';
  const names =
    'edge auth m.level m.request.method m.response.status_code m.duration m.cached m.request metadata id';
  const operators = ': :> :>= :< :<= :~ :@> :@>~ .. @ - ~ ~" " (';
  const values = 'error GET 5 1.5 200 404..499 info..error NULL true "a b" "\\"" (a) [a-z] 2024-02-29 x NULL';
  const times =
    'now today yesterday this@ last@ 15m 1d 3mm w last@15m this@week 1709735720 T10:00:00 Z {00..05}';
  const charts = 'count(*) avg(m.duration) countd(id) group_by(t::hour) p95( group_by( t:: )';
  return [heads, names, operators, values, times, charts].flatMap((line) => line.split(' '));
}
