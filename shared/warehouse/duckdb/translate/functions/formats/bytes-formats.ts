import { fromBase32, toBase32 } from '../base32.ts';
import { answered, failed, type JavaScriptAnswer } from './javascript-answer.ts';

/** The format of a cast of BYTES as it is looked up: capital and small letters do not differ. */
const nameOf = (format: string): string =>
  format
    .toUpperCase()
    .replace(/^HEX$/, 'BASE16')
    .replace(/^UTF8$/, 'UTF-8');

const ASCII_END = 128;

/** CAST(bytes AS STRING FORMAT format) */
export function textOfBytes(bytes: Uint8Array, format: string): JavaScriptAnswer {
  const buffer = Buffer.from(bytes);
  const name = nameOf(format);
  switch (name) {
    case 'BASE16':
      return answered(buffer.toString('hex'));
    case 'BASE2':
      return answered(bitsOf(bytes));
    case 'BASE8':
      return answered(regrouped(bitsOf(bytes), 3, 8));
    case 'BASE32':
      return answered(toBase32(bytes));
    case 'BASE64':
      return answered(buffer.toString('base64'));
    case 'BASE64M':
      return answered((buffer.toString('base64').match(/.{1,76}/g) ?? []).join('\n'));
    case 'ASCII':
      if (bytes.some((byte) => byte >= ASCII_END)) return failed('Failed to decode invalid ASCII string');
      return answered(buffer.toString('latin1'));
    case 'UTF-8':
      try {
        return answered(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
      } catch {
        return failed('A string is not valid UTF-8.');
      }
    default:
      return unknownFormat(format);
  }
}

const bitsOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');

/** Bits as digits of so many of them, with zeros before the first. */
function regrouped(bits: string, size: number, radix: number): string {
  const filled = bits.padStart(Math.ceil(bits.length / size) * size, '0');
  const groups = filled.match(new RegExp(`.{${size}}`, 'g')) ?? [];
  return groups.map((group) => Number.parseInt(group, 2).toString(radix)).join('');
}

/** The last bits as so many bytes, in hexadecimal digits. */
function hexOf(bits: string, count: number): string {
  const size = Math.max(count, 0) * 8;
  return regrouped(size === 0 ? '' : bits.padStart(size, '0').slice(-size), 4, 16);
}

/** CAST(text AS BYTES FORMAT format), the bytes as hexadecimal digits. */
export function bytesOfText(text: string, format: string): JavaScriptAnswer {
  const name = nameOf(format);
  switch (name) {
    case 'BASE16':
      if (!/^[0-9a-fA-F]*$/.test(text)) return failed('Failed to decode invalid hexadecimal string');
      return answered(text.length % 2 === 0 ? text : `0${text}`);
    case 'BASE2': {
      if (!/^[01]*$/.test(text)) return failed('Failed to decode invalid base2 string');
      return answered(hexOf(text, Math.ceil(text.length / 8)));
    }
    case 'BASE8': {
      if (!/^[0-7]*$/.test(text)) return failed('Failed to decode invalid base8 string');
      const bits = Array.from(text, (digit) => Number(digit).toString(2).padStart(3, '0')).join('');
      // The first digit may stand for fewer than three bits.
      return answered(hexOf(bits, Math.ceil((bits.length - 2) / 8)));
    }
    case 'BASE32': {
      const bytes = /^[A-Za-z2-7=]*$/.test(text) ? fromBase32(Buffer.from(text)) : null;
      if (bytes === null) return failed('Failed to decode invalid base32 string');
      return answered(Buffer.from(bytes).toString('hex'));
    }
    case 'BASE64':
    case 'BASE64M': {
      const digits = text.replace(/[\t-\r ]/g, '');
      if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/.test(digits))
        return failed('Failed to decode invalid base64 string');
      return answered(Buffer.from(digits, 'base64').toString('hex'));
    }
    case 'ASCII':
      if (Buffer.from(text).some((byte) => byte >= ASCII_END))
        return failed('Failed to decode invalid ASCII string');
      return answered(Buffer.from(text).toString('hex'));
    case 'UTF-8':
      return answered(Buffer.from(text).toString('hex'));
    default:
      return unknownFormat(format);
  }
}

function unknownFormat(format: string): JavaScriptAnswer {
  return failed(`Invalid format '${format.slice(0, 100)}'`);
}
