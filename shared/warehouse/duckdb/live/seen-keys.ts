import { hash } from 'node:crypto';

/** Bits for each key: one key in some fifty thousand that is new has to be looked up all the same. */
const BITS_PER_KEY = 24;
const HASHES = 10;
const LEAST_KEYS = 65_536;

/** The lower half of a key's MD5, by its lower and its upper 32 bits, without sign. */
export interface KeyHash {
  readonly low: number;
  readonly high: number;
}

interface Filter {
  readonly bits: Uint32Array;
  readonly capacity: number;
  count: number;
}

/**
 * Remembers keys of entries in a few bytes each (a Bloom filter that grows): it knows for sure which it has not seen. They are known by
 * the lower half of their MD5, which DuckDB computes as `md5_number_lower`.
 */
export class SeenKeys {
  readonly #filters: Filter[] = [];

  /** `expected` keys will be added at first; more may follow. */
  constructor(expected: number) {
    this.#grow(expected);
  }

  add(hash: KeyHash): void {
    let filter = this.#filters.at(-1);
    if (filter === undefined || filter.count >= filter.capacity)
      filter = this.#grow(2 * (filter?.capacity ?? 0));
    filter.count += 1;
    const { bits } = filter;
    eachPlace(bits, hash, (word, bit) => {
      bits[word] = (bits[word] ?? 0) | bit;
      return true;
    });
  }

  /** False only for a key that was not added. */
  mayHave(hash: KeyHash): boolean {
    return this.#filters.some(({ bits }) =>
      eachPlace(bits, hash, (word, bit) => ((bits[word] ?? 0) & bit) !== 0),
    );
  }

  #grow(expected: number): Filter {
    const capacity = Math.max(LEAST_KEYS, expected);
    const bits = new Uint32Array(Math.ceil((capacity * BITS_PER_KEY) / 32));
    const filter = { bits, capacity, count: 0 };
    this.#filters.push(filter);
    return filter;
  }
}

/** Visits the places of a hash until a visit answers false; whether none did. */
function eachPlace(
  bits: Uint32Array,
  { low, high }: KeyHash,
  visit: (word: number, bit: number) => boolean,
): boolean {
  const size = bits.length * 32;
  const step = high % 2 === 0 ? high + 1 : high;
  for (let index = 0; index < HASHES; index += 1) {
    const place = (low + index * step) % size;
    if (!visit(place >>> 5, 1 << (place & 31))) return false;
  }
  return true;
}

/** The hash of a key. */
export function keyHash(key: string): KeyHash {
  // Of all forms of a digest, Node makes this one fastest by far; a character is a byte.
  const digest = hash('md5', key, 'binary');
  return { low: littleEndian(digest, 8), high: littleEndian(digest, 12) };
}

/** A hash as DuckDB numbers it. */
export function hashOfNumber(number: bigint): KeyHash {
  return { low: Number(number & 0xffffffffn), high: Number(number >> 32n) };
}

function littleEndian(digest: string, at: number): number {
  const byte = (index: number) => digest.charCodeAt(at + index);
  return (byte(0) | (byte(1) << 8) | (byte(2) << 16) | (byte(3) << 24)) >>> 0;
}
