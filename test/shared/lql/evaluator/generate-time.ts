import fc from 'fast-check';
import { DAY_MICROS, floorTo, HOUR_MICROS, SECOND_MICROS } from './civil-time.ts';
import { type Instant, type Order, type TimeTest, UNITS } from './model.ts';

/** Tests of time at, beside and between some instants. */
export function generateTimeTest(instants: readonly bigint[]): fc.Arbitrary<TimeTest> {
  const moment = generateMoment(instants);
  const date = moment.map(
    (micros): Instant => ({ micros: floorTo(micros, DAY_MICROS), isDate: true, zoned: false }),
  );
  const naive = moment.map((micros): Instant => ({ micros, isDate: false, zoned: false }));
  const zoned = moment.map((micros): Instant => ({ micros, isDate: false, zoned: true }));
  const point = fc.record({
    kind: fc.constant('point' as const),
    order: fc.constantFrom<Order[]>(':', ':>', ':>=', ':<', ':<='),
    point: fc.oneof(date, naive, zoned, fc.constant('now' as const)),
  });
  const bare = fc.oneof(date, naive);
  const between = fc.oneof(
    fc.tuple(bare, bare),
    fc.tuple(date, date),
    fc.tuple(naive, naive),
    fc.tuple(zoned, zoned),
  );
  const unit = fc.constantFrom(...UNITS);
  return fc.oneof(
    { weight: 3, arbitrary: point },
    { weight: 3, arbitrary: between.map(([from, to]) => ({ kind: 'between', from, to }) as const) },
    fc.constantFrom<TimeTest>({ kind: 'today' }, { kind: 'yesterday' }),
    unit.filter((one) => one !== 'second').map((one) => ({ kind: 'this', unit: one }) as const),
    fc.record({
      kind: fc.constant('last' as const),
      count: fc.oneof(fc.constant(1), fc.nat(40), fc.nat(9999)),
      unit,
    }),
  );
}

/** When a query is compiled: at, beside and far from some instants, or at the ends of months and years. */
export function generateNow(instants: readonly bigint[]): fc.Arbitrary<bigint> {
  const edges = [
    '2024-02-29',
    '2024-03-01',
    '2024-03-31',
    '2024-12-31',
    '2025-01-01',
    '2023-03-29',
    '2024-03-10',
  ];
  const edge = fc.constantFrom(...edges).map((day) => BigInt(Date.parse(`${day}T00:00:00Z`)) * 1000n);
  const ofDay = fc.constantFrom(0n, 1n, 999_999n, 12n * HOUR_MICROS + 345_678n, DAY_MICROS - 1n);
  return fc.oneof(
    { weight: 3, arbitrary: generateMoment(instants) },
    fc.tuple(edge, ofDay).map(([day, time]) => day + time),
  );
}

function generateMoment(instants: readonly bigint[]): fc.Arbitrary<bigint> {
  const steps = [
    0n,
    0n,
    0n,
    1n,
    -1n,
    1000n,
    SECOND_MICROS,
    -SECOND_MICROS,
    HOUR_MICROS,
    -DAY_MICROS,
    45n * DAY_MICROS,
  ];
  return fc.tuple(fc.constantFrom(...instants), fc.constantFrom(...steps)).map(([at, step]) => at + step);
}
