import { RE2JS } from 're2js';
import { DAY_MICROS, floorTo, SECOND_MICROS, startOf, startOfLast } from './civil-time.ts';
import { type LogEvent, type Value, valuesAt } from './events.ts';
import { type FieldTest, type Filter, type Instant, LEVELS, type Order, type TimeTest } from './model.ts';
import { type Field, type Fields, fieldAt, type ScalarType } from './schema.ts';

/** Whether an event meets a filter; `nowMicros` is when the query is compiled. */
export function meets(event: LogEvent, filter: Filter, fields: Fields, nowMicros: bigint): boolean {
  return holds(event, filter, fields, nowMicros) !== filter.negated;
}

function holds(event: LogEvent, filter: Filter, fields: Fields, nowMicros: bigint): boolean {
  switch (filter.kind) {
    case 'message': {
      const message = event.event_message ?? null;
      if (typeof message !== 'string') return false;
      return filter.regex ? matches(message, filter.text) : message.includes(filter.text);
    }
    case 'time':
      return timeHolds(event.timestamp, filter.test, floorTo(nowMicros, SECOND_MICROS));
    case 'levels': {
      const levels: readonly Value[] = LEVELS.slice(
        LEVELS.indexOf(filter.from),
        LEVELS.indexOf(filter.to) + 1,
      );
      return valuesAt(event, 'metadata.level').some((level) => levels.includes(level));
    }
    case 'field': {
      const field = fieldAt(fields, filter.path);
      if (field === null) throw new TypeError(`no field ${filter.path}`);
      return valuesAt(event, filter.path).some((value) => valueHolds(value, filter.test, field));
    }
    default: {
      const unreachable: never = filter;
      throw new TypeError(`filter ${JSON.stringify(unreachable)}`);
    }
  }
}

function timeHolds(at: bigint, test: TimeTest, nowSecond: bigint): boolean {
  const today = floorTo(nowSecond, DAY_MICROS);
  switch (test.kind) {
    case 'point': {
      const point = test.point === 'now' ? instantAt(nowSecond) : test.point;
      if (test.order === ':' && point.isDate) return at >= point.micros && at < endOf(point);
      return ordered(at, test.order, point.micros);
    }
    case 'between':
      return at >= test.from.micros && (test.to.isDate ? at < endOf(test.to) : at <= test.to.micros);
    case 'today':
      return at >= today && at < today + DAY_MICROS;
    case 'yesterday':
      return at >= today - DAY_MICROS && at < today;
    case 'this':
      return at >= startOf(test.unit, nowSecond) && at <= nowSecond;
    case 'last':
      return at >= startOfLast(test.count, test.unit, nowSecond) && at <= nowSecond;
    default: {
      const unreachable: never = test;
      throw new TypeError(`time ${JSON.stringify(unreachable)}`);
    }
  }
}

function instantAt(micros: bigint): Instant {
  return { micros, isDate: false, zoned: true };
}

function endOf(date: Instant): bigint {
  return date.micros + DAY_MICROS;
}

function valueHolds(value: Value, test: FieldTest, field: Field): boolean {
  const type = field.kind === 'list' ? field.element : field.kind === 'scalar' ? field.type : null;
  if (type === null) throw new TypeError('a record has no value');
  const elements = Array.isArray(value) ? (value as readonly Value[]) : [];
  switch (test.kind) {
    case 'null':
      return field.kind === 'list' ? elements.length === 0 : value === null;
    case 'matches':
      return typeof value === 'string' && matches(value, test.pattern);
    case 'contains':
      return elements.some((one) => compareTyped(one, test.value, type) === 0);
    case 'containsMatch':
      return elements.some((one) => typeof one === 'string' && matches(one, test.pattern));
    case 'between':
      return (
        value !== null && compareTyped(value, test.from, type) >= 0 && compareTyped(value, test.to, type) <= 0
      );
    case 'compare':
      return value !== null && ordered(compareTyped(value, test.value, type), test.order, 0);
    default: {
      const unreachable: never = test;
      throw new TypeError(`test ${JSON.stringify(unreachable)}`);
    }
  }
}

/** How a value lies to a text that is read as its type: negative, zero or positive. */
function compareTyped(value: Value, text: string, type: ScalarType): number {
  switch (type) {
    case 'INT64':
      return compare(BigInt(value as bigint), BigInt(text));
    case 'FLOAT64':
      return compare(Number(value), Number(text));
    case 'BOOL':
      return String(value) === text ? 0 : 1;
    default:
      // UTF-8 sorts as code points do; JavaScript's own order is that of UTF-16.
      return Buffer.compare(Buffer.from(String(value)), Buffer.from(text));
  }
}

function compare<T extends bigint | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function ordered<T extends bigint | number>(a: T, order: Order, b: T): boolean {
  switch (order) {
    case ':':
      return a === b;
    case ':>':
      return a > b;
    case ':>=':
      return a >= b;
    case ':<':
      return a < b;
    case ':<=':
      return a <= b;
    default: {
      const unreachable: never = order;
      throw new TypeError(`order ${unreachable}`);
    }
  }
}

function matches(text: string, pattern: string): boolean {
  return RE2JS.compile(pattern).matcher(text).find();
}
