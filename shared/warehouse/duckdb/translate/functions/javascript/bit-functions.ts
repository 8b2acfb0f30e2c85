import { type JavaScriptFunction, javaScriptFunction, ValueError } from './javascript-function.ts';

type Combine = (left: number, right: number) => number;

/** A bitwise operator on BYTES, byte by byte. */
function combined(combine: Combine): (left: Uint8Array, right: Uint8Array) => Uint8Array {
  return (left, right) => {
    if (left.length !== right.length)
      throw new ValueError(
        `Bitwise binary operator for BYTES requires equal length of the inputs. Got ${left.length} bytes on the left hand side and ${right.length} bytes on the right hand side.`,
      );
    return left.map((byte, index) => combine(byte, right[index] ?? 0));
  };
}

/** BYTES moved to the left by a number of bits, or for a negative number to the right; what comes in is zeros. */
function shifted(bytes: Uint8Array, bits: number): Uint8Array {
  const moved = new Uint8Array(bytes.length);
  const [whole, part] = [Math.floor(bits / 8), ((bits % 8) + 8) % 8];
  for (let index = 0; index < bytes.length; index++) {
    const [high, low] = [bytes[index + whole] ?? 0, bytes[index + whole + 1] ?? 0];
    moved[index] = ((high << part) | (low >> (8 - part))) & 0xff;
  }
  return moved;
}

function shift(direction: 1 | -1): (bytes: Uint8Array, count: bigint) => Uint8Array {
  return (bytes, count) => {
    if (count < 0n) throw new ValueError('Bitwise shift by negative offset.');
    const most = BigInt(bytes.length * 8);
    return shifted(bytes, direction * Number(count < most ? count : most));
  };
}

/** Bitwise operators on BYTES. */
export const BIT_FUNCTIONS: readonly JavaScriptFunction[] = [
  javaScriptFunction('gsql_bytes_not', ['BLOB'], 'BLOB', (bytes) => bytes.map((byte) => ~byte & 0xff)),
  javaScriptFunction(
    'gsql_bytes_and',
    ['BLOB', 'BLOB'],
    'BLOB',
    combined((left, right) => left & right),
  ),
  javaScriptFunction(
    'gsql_bytes_or',
    ['BLOB', 'BLOB'],
    'BLOB',
    combined((left, right) => left | right),
  ),
  javaScriptFunction(
    'gsql_bytes_xor',
    ['BLOB', 'BLOB'],
    'BLOB',
    combined((left, right) => left ^ right),
  ),
  javaScriptFunction('gsql_bytes_shift_left', ['BLOB', 'BIGINT'], 'BLOB', shift(1)),
  javaScriptFunction('gsql_bytes_shift_right', ['BLOB', 'BIGINT'], 'BLOB', shift(-1)),
];
