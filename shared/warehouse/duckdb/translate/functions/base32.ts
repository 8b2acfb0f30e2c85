/** RFC 4648, section 6. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const CANONICAL = /^(?:[A-Z2-7]{8})*(?:[A-Z2-7]{2}={6}|[A-Z2-7]{4}={4}|[A-Z2-7]{5}={3}|[A-Z2-7]{7}=)?$/;
const BITS = 5;

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
  return text.join('').padEnd(Math.ceil(bytes.length / BITS) * 8, '=');
}

/** The BYTES of base32 in upper case with padding and no bits left over; null for any other text. */
export function fromBase32(ascii: Uint8Array): Uint8Array | null {
  const text = Buffer.from(ascii).toString('latin1');
  if (!CANONICAL.test(text)) return null;
  const letters = text.replace(/=+$/, '');
  const bytes = Buffer.alloc(Math.floor((letters.length * BITS) / 8));
  let bits = 0;
  let held = 0;
  let length = 0;
  for (const letter of letters) {
    bits = ((bits << BITS) | ALPHABET.indexOf(letter)) & 0xfff;
    held += BITS;
    if (held < 8) continue;
    held -= 8;
    bytes[length++] = (bits >> held) & 255;
  }
  const isCanonical = (bits & ((1 << held) - 1)) === 0;
  return isCanonical ? bytes : null;
}
