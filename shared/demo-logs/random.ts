/** Taken out once: these run for hundreds of thousands of slots. */
const { floor, imul } = Math;

/** FNV-1a over UTF-16 units: turns a label into a 32-bit seed. */
export function seedOf(label: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < label.length; i++) hash = imul(hash ^ label.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** A number in [0, 1) that depends on its two arguments alone: decides cheaply whether a slot is used at all. */
export function unitHash(seed: number, index: number): number {
  let hash = imul(seed ^ (index | 0), 0x85ebca6b) ^ floor(index / 2 ** 32);
  hash = imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = imul(hash ^ (hash >>> 12), 0x297a2d39);
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32;
}

const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

const byteText = (bits: number): string => BYTES[bits & 0xff] as string;

/** Rows of a table with their weights; weights need not add up to anything. */
export type Weighted<T> = readonly (readonly [T, number])[];

/**
 * A seeded generator (sfc32, public domain, by Chris Doty-Humphrey): the same seed and index give the same
 * numbers on every machine. Its 128 bits of state keep identifiers drawn from many generators distinct.
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d = 1;

  constructor(seed: number, index: number) {
    this.#a = seed | 0;
    this.#b = index | 0;
    this.#c = floor(index / 2 ** 32) | 0;
    for (let round = 0; round < 12; round++) this.#next();
  }

  /** 32 bits, as an unsigned number. */
  #next(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#d) | 0;
    this.#d = (this.#d + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** At least 0, less than 1. */
  unit(): number {
    return this.#next() / 2 ** 32;
  }

  /** A whole number between both bounds, bounds included. */
  int(low: number, high: number): number {
    return low + floor(this.unit() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  /** One of the items, which must not be empty. */
  pick<T>(items: readonly T[]): T {
    return items[floor(this.unit() * items.length)] as T;
  }

  /** One of the rows, as often as its weight says; the table must not be empty. */
  weighted<T>(rows: Weighted<T>): T {
    let total = 0;
    for (const row of rows) total += row[1];
    let left = this.unit() * total;
    for (const row of rows) {
      left -= row[1];
      if (left < 0) return row[0];
    }
    return (rows[0] as readonly [T, number])[0];
  }

  /** Lower-case hexadecimal digits, 8 at most. */
  hex(digits: number): string {
    const bits = this.#next();
    const text = byteText(bits >>> 24) + byteText(bits >>> 16) + byteText(bits >>> 8) + byteText(bits);
    return digits === 8 ? text : text.slice(8 - digits);
  }

  /** Shaped as a version 4 UUID (RFC 9562). */
  uuid(): string {
    const variant = '89ab'.charAt(this.#next() & 3);
    return `${this.hex(8)}-${this.hex(4)}-4${this.hex(3)}-${variant}${this.hex(3)}-${this.hex(4)}${this.hex(8)}`;
  }
}
