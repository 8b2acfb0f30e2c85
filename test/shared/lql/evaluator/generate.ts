import fc from 'fast-check';
import type { Logs } from './answer.ts';
import { type LogEvent, valuesAt } from './events.ts';
import { generateTest } from './generate-field-test.ts';
import { generatePart, generatePattern, textsOf } from './generate-text.ts';
import { generateTimeTest } from './generate-time.ts';
import { AGGREGATES, type Clause, type Filter, LEVELS, PERIODS, type Query } from './model.ts';
import { type Fields, pathsOf } from './schema.ts';

/** Queries without a fault over one source, which `f:` names. */
export function generateQuery(source: string, logs: Logs): fc.Arbitrary<Query> {
  const fields = logs.schemas[source] ?? {};
  const events = logs.events[source] ?? [];
  const filters = fc.array(generateFilter(fields, events), { maxLength: 3 });
  const output = fc.oneof(
    { weight: 4, arbitrary: fc.constant<Clause[]>([]) },
    { weight: 3, arbitrary: generateSelects(fields) },
    { weight: 3, arbitrary: generateChart(fields) },
  );
  return fc
    .tuple(filters, output)
    .chain(([some, others]) => shuffled<Clause>([{ kind: 'from', source }, ...some, ...others]));
}

/** Clauses in any order. */
function shuffled<T>(items: readonly T[]): fc.Arbitrary<T[]> {
  return fc.shuffledSubarray([...items], { minLength: items.length });
}

function generateFilter(fields: Fields, events: readonly LogEvent[]): fc.Arbitrary<Filter> {
  const negated = fc.boolean();
  const leaves = pathsOf(fields).filter(([path, { kind }]) => kind !== 'record' && path !== 'timestamp');
  const field = fc.constantFrom(...leaves).chain(([path, leaf]) =>
    fc.record({
      kind: fc.constant('field' as const),
      negated,
      path: fc.constant(path),
      test: generateTest(
        leaf,
        events.flatMap((event) => valuesAt(event, path)),
      ),
    }),
  );
  const message = fc.boolean().chain((regex) => {
    const messages = textsOf(events.flatMap((event) => valuesAt(event, 'event_message')));
    const text = regex ? generatePattern(messages) : generatePart(messages);
    return fc.record({ kind: fc.constant('message' as const), negated, regex: fc.constant(regex), text });
  });
  const time = fc.record({
    kind: fc.constant('time' as const),
    negated,
    test: generateTimeTest(events.map(({ timestamp }) => timestamp)),
  });
  const level = fc.constantFrom(...LEVELS);
  const levels = fc.record({ kind: fc.constant('levels' as const), negated, from: level, to: level });
  const hasLevel = leaves.some(([path]) => path === 'metadata.level');
  return fc.oneof(
    { weight: 8, arbitrary: field },
    { weight: 2, arbitrary: message },
    { weight: 3, arbitrary: time },
    { weight: hasLevel ? 1 : 0, arbitrary: levels },
  );
}

function generateSelects(fields: Fields): fc.Arbitrary<Clause[]> {
  const paths = pathsOf(fields).filter(([path, { kind }]) => kind !== 'record' || path === 'metadata');
  const some = fc.uniqueArray(fc.constantFrom(...paths.map(([path]) => path)), {
    minLength: 1,
    maxLength: 5,
  });
  return fc.tuple(some, fc.infiniteStream(fc.nat(9))).map(([chosen, choices]) => {
    const choice = () => choices.next().value as number;
    const selects = chosen.map((path, index): Clause => {
      return { kind: 'select', path, alias: choice() < 5 ? null : `c${index}` };
    });
    // The same path again adds no column, whatever it is called.
    if (choice() < 2 && chosen[0] !== undefined)
      selects.push({ kind: 'select', path: chosen[0], alias: 'again' });
    if (choice() < 1) selects.push({ kind: 'select', path: null, alias: null });
    return selects;
  });
}

function generateChart(fields: Fields): fc.Arbitrary<Clause[]> {
  const scalars = pathsOf(fields).filter(([, { kind }]) => kind === 'scalar');
  const numbers = scalars.filter(
    ([, field]) => field.kind === 'scalar' && ['INT64', 'FLOAT64'].includes(field.type),
  );
  const period = fc.constantFrom(...PERIODS).map((one): Clause => ({ kind: 'group', period: one }));
  const events = fc
    .constantFrom('count' as const, 'countd' as const)
    .map((name): Clause => ({ kind: 'aggregate', name, path: null }));
  const distinct = fc
    .constantFrom(...scalars)
    .map(([path]): Clause => ({ kind: 'aggregate', name: 'countd', path }));
  const numeric = fc
    .tuple(
      fc.constantFrom(...AGGREGATES.filter((name) => name !== 'count')),
      fc.constantFrom(...(numbers.length === 0 ? scalars : numbers)),
    )
    .map(
      ([name, [path]]): Clause => ({ kind: 'aggregate', name: numbers.length === 0 ? 'countd' : name, path }),
    );
  const aggregate = fc.oneof(events, distinct, { weight: 3, arbitrary: numeric });
  return fc.oneof(fc.tuple(aggregate), fc.tuple(period), {
    weight: 5,
    arbitrary: fc.tuple(aggregate, period),
  }) as fc.Arbitrary<Clause[]>;
}
