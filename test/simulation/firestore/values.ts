import { Timestamp } from '@google-cloud/firestore';

/** The fields of a document. */
export type Fields = Record<string, unknown>;

/** Stands for a number that is added to what a field has. */
export class Increment {
  readonly by: number;
  constructor(by: number) {
    this.by = by;
  }
}

/** Stands for the time of the commit. */
export class ServerTimestamp {}

/** Firestore's times have microseconds. */
export function timestampOf(micros: number): Timestamp {
  const seconds = Math.floor(micros / 1e6);
  return new Timestamp(seconds, (micros - seconds * 1e6) * 1000);
}

export function microsOf(time: Timestamp): number {
  return time.seconds * 1e6 + Math.floor(time.nanoseconds / 1000);
}

/** A copy that shares nothing with the original, for neither side sees what the other changes later. */
export function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (value instanceof Uint8Array) return Buffer.from(value);
  return isMap(value) ? copyOfFields(value) : value;
}

export function copyOfFields(fields: Fields): Fields {
  const copy: Fields = {};
  for (const name of Object.keys(fields)) copy[name] = copyOf(fields[name]);
  return copy;
}

/** A field's new value: transforms are worked out, and with `isMerged` maps are merged field by field. */
export function valueAfter(before: unknown, given: unknown, micros: number, isMerged: boolean): unknown {
  if (given instanceof ServerTimestamp) return timestampOf(micros);
  if (given instanceof Increment) return (typeof before === 'number' ? before : 0) + given.by;
  if (isMap(given)) {
    return fieldsAfter(isMerged && isMap(before) ? before : {}, given, micros, isMerged);
  }
  return copyOf(given);
}

export function fieldsAfter(before: Fields, given: Fields, micros: number, isMerged: boolean): Fields {
  const after: Fields = { ...before };
  for (const name of Object.keys(given)) {
    after[name] = valueAfter(before[name], given[name], micros, isMerged);
  }
  return after;
}

export function isEqual(one: unknown, other: unknown): boolean {
  if (one === other || (Number.isNaN(one) && Number.isNaN(other))) return true;
  if (one instanceof Timestamp) return other instanceof Timestamp && one.isEqual(other);
  if (one instanceof Uint8Array) return other instanceof Uint8Array && Buffer.compare(one, other) === 0;
  if (Array.isArray(one)) {
    return (
      Array.isArray(other) && one.length === other.length && one.every((item, at) => isEqual(item, other[at]))
    );
  }
  if (!isMap(one) || !isMap(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => name in other && isEqual(one[name], other[name]))
  );
}

/** Order of values in Firestore: by type first, then by value. Only the types that the service stores are distinguished. */
export function compare(one: unknown, other: unknown): number {
  const [rank, otherRank] = [rankOf(one), rankOf(other)];
  if (rank !== otherRank) return rank - otherRank;
  if (typeof one === 'string' && typeof other === 'string')
    return Buffer.compare(Buffer.from(one), Buffer.from(other));
  if (one instanceof Timestamp && other instanceof Timestamp) return microsOf(one) - microsOf(other);
  return Number(one) - Number(other);
}

function rankOf(value: unknown): number {
  if (value === null) return 0;
  if (typeof value === 'boolean') return 1;
  if (typeof value === 'number') return 2;
  if (value instanceof Timestamp) return 3;
  if (typeof value === 'string') return 4;
  throw new TypeError('the simulated Firestore does not order values of this type');
}

function isMap(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
