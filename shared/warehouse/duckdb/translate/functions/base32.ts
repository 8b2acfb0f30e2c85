/** RFC 4648, section 6. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const GROUPS = /^(?:[A-Z2-7]{8}|[A-Z2-7]{7}=|[A-Z2-7]{5}={3}|[A-Z2-7]{4}={4}|[A-Z2-7]{2}={6}|={8})*$/i;
const BITS = 5;
/** Digits that make whole bytes: five of them. */
const GROUP = 8;

/** BYTES as base32 with padding. */
export function toBase32(bytes: Uint8Array): string {
  const text: string[] = [];
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xfff;
    for (held += 8; held >= BITS; held -= BITS) text.push(ALPHABET.charAt((bits >> (held - BITS)) & 31));
  }
  if (held > 0) text.push(ALPHABET.charAt((bits << (BITS - held)) & 31));
  return text.join('').padEnd(Math.ceil(bytes.length / BITS) * GROUP, '=');
}

/**
 * The BYTES of base32 in either case, with padding or without it; bits left over are dropped, as Google's libraries drop them.
 * null for text with other characters, padding inside a group of eight, or so many digits that they make no whole bytes.
 */
export function fromBase32(ascii: Uint8Array): Uint8Array | null {
  const text = Buffer.from(ascii).toString('latin1');
  const padded = text.padEnd(Math.ceil(text.length / GROUP) * GROUP, '=');
  if (!GROUPS.test(padded)) return null;
  const bytes = Buffer.alloc((padded.length / GROUP) * BITS);
  let bits = 0;
  let held = 0;
  let length = 0;
  for (const digit of padded.toUpperCase()) {
    if (digit === '=') held = 0;
    else {
      bits = ((bits << BITS) | ALPHABET.indexOf(digit)) & 0xfff;
      held += BITS;
    }
    if (held < 8) continue;
    held -= 8;
    bytes[length++] = (bits >> held) & 255;
  }
  return bytes.subarray(0, length);
}
