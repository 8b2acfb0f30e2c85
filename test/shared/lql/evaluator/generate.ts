import fc from 'fast-check';
import { RE2JS } from 're2js';
import type { Logs } from './answer.ts';
import { type LogEvent, type Value, valuesAt } from './events.ts';
import { generateTimeTest } from './generate-time.ts';
import {
  AGGREGATES,
  type Clause,
  type FieldTest,
  type Filter,
  LEVELS,
  type Order,
  PERIODS,
  type Query,
} from './model.ts';
import { type Field, type Fields, pathsOf, type ScalarType } from './schema.ts';

const ORDERS: readonly Order[] = [':', ':>', ':>=', ':<', ':<='];

/** Texts that end quotes early, look like keywords or sort in surprising places. */
const TEXTS = [
  '',
  ' ',
  'NULL',
  'null',
  'true',
  '5',
  '-5',
  '0.5',
  '57P01',
  '641c59c7',
  '2024-02-29',
  '%',
  '_',
  '.*',
  '\\',
  '\\\\',
  '"',
  '\\"',
  "' OR 1=1 --",
  '`',
  '@v',
  '?',
  'a"b\\c',
  'été',
  'ъ',
  '日本',
  '\u{1F600}',
  '\uFFFD',
  'a\nb',
  '(',
  ')',
  ')(',
] as const;

const PATTERNS = [
  '.',
  '^$',
  '^',
  'a|o',
  '[0-9]+',
  '\\d\\d',
  '(?i)POST|Error',
  '(?s)S.*x',
  '\\\\',
  '"',
  'é',
  '^.{4}$',
  '\\bcurl',
  '[^ -~]',
] as const;

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
export function shuffled<T>(items: readonly T[]): fc.Arbitrary<T[]> {
  return fc.shuffledSubarray([...items], { minLength: items.length });
}

export function generateFilter(fields: Fields, events: readonly LogEvent[]): fc.Arbitrary<Filter> {
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

function generateTest(field: Field, values: readonly Value[]): fc.Arbitrary<FieldTest> {
  if (field.kind === 'list') {
    const elements = values.flatMap((list) => (list ?? []) as readonly Value[]);
    const contains = generateText(field.element, elements).map(
      (value) => ({ kind: 'contains', value }) as const,
    );
    if (field.element !== 'STRING') return contains;
    const containsMatch = generatePattern(textsOf(elements)).map(
      (pattern) => ({ kind: 'containsMatch', pattern }) as const,
    );
    return fc.oneof(contains, containsMatch);
  }
  const type = field.kind === 'scalar' ? field.type : 'STRING';
  const orders = fc.constantFrom(...(type === 'BOOL' ? [':' as const] : ORDERS));
  const compare = fc.record({
    kind: fc.constant('compare' as const),
    order: fc.oneof(fc.constant(':' as const), orders),
    value: generateText(type, values),
  });
  const isNull = fc.constant({ kind: 'null' } as const);
  if (type === 'BOOL') return fc.oneof({ weight: 3, arbitrary: compare }, isNull);
  const between = generateBounds(type, values).map(([from, to]) => ({ kind: 'between', from, to }) as const);
  if (type !== 'STRING')
    return fc.oneof({ weight: 3, arbitrary: compare }, { weight: 2, arbitrary: between }, isNull);
  const matches = generatePattern(textsOf(values)).map((pattern) => ({ kind: 'matches', pattern }) as const);
  return fc.oneof(
    { weight: 4, arbitrary: compare },
    { weight: 1, arbitrary: between },
    { weight: 2, arbitrary: matches },
    { weight: 1, arbitrary: isNull },
  );
}

/** Texts of a type: what the data has, what lies beside it, and what is far away. */
function generateText(type: ScalarType, values: readonly Value[]): fc.Arbitrary<string> {
  const present = textsOf(values);
  const sample = fc.constantFrom(...(present.length === 0 ? ['0'] : present));
  switch (type) {
    case 'BOOL':
      return fc.constantFrom('true', 'false');
    case 'INT64':
      return fc.oneof(
        { weight: 4, arbitrary: sample },
        fc.tuple(sample, fc.constantFrom(-1n, 1n)).map(([text, step]) => String(BigInt(text) + step)),
        fc.constantFrom(
          '0',
          '-0',
          '-1',
          '007',
          '9007199254740993',
          '9223372036854775807',
          '-9223372036854775808',
        ),
      );
    case 'FLOAT64':
      return fc.oneof(
        { weight: 4, arbitrary: sample },
        fc.constantFrom(
          '0',
          '-0.0',
          '5',
          '5.0',
          '0.1',
          '4.999999999999999999',
          '98765.4321',
          '-1',
          '1000000',
        ),
      );
    default:
      return fc.oneof(
        { weight: 4, arbitrary: sample },
        { weight: 1, arbitrary: generatePart(present) },
        { weight: 1, arbitrary: fc.constantFrom(...TEXTS) },
      );
  }
}

/** Two bounds that can stand unquoted: two numbers, or two dates or datetimes. */
function generateBounds(type: ScalarType, values: readonly Value[]): fc.Arbitrary<readonly [string, string]> {
  const numbers = [...textsOf(values).filter((text) => /^\d+(?:\.\d+)?$/.test(text)), '0', '99', '500'];
  const pair = fc.tuple(fc.constantFrom(...numbers), fc.constantFrom(...numbers));
  if (type !== 'STRING') return pair;
  const date = fc.constantFrom(
    '2024-02-27',
    '2024-02-28T12:00:00Z',
    '2024-03-02',
    '2024-03-06T13:00:20',
    '2025-01-01',
  );
  return fc.oneof(pair, fc.tuple(date, date));
}

/** A part of one of some texts. */
function generatePart(texts: readonly string[]): fc.Arbitrary<string> {
  const part = fc
    .tuple(fc.constantFrom(...texts, 'x'), fc.nat(60), fc.integer({ min: 1, max: 12 }))
    .map(([text, from, length]) =>
      [...text]
        .slice(from % Math.max(text.length, 1))
        .slice(0, length)
        .join(''),
    );
  return fc.oneof({ weight: 4, arbitrary: part }, { weight: 1, arbitrary: fc.constantFrom(...TEXTS) });
}

function generatePattern(texts: readonly string[]): fc.Arbitrary<string> {
  const quoted = generatePart(texts).map((text) => text.replaceAll(/[\\^$.|?*+()[\]{}]/g, '\\$&'));
  const anchored = fc
    .tuple(fc.constantFrom('', '', '^', '.'), quoted, fc.constantFrom('', '', '$', '+', '?', '|GET'))
    .map((parts) => parts.join(''))
    .filter(isPattern);
  return fc.oneof({ weight: 2, arbitrary: anchored }, { weight: 1, arbitrary: fc.constantFrom(...PATTERNS) });
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

/** The scalars among some values as texts, each once. */
function textsOf(values: readonly Value[]): string[] {
  return [...new Set(values.filter((value) => value !== null && typeof value !== 'object').map(String))];
}

function isPattern(text: string): boolean {
  try {
    RE2JS.compile(text);
    return true;
  } catch {
    return false;
  }
}
