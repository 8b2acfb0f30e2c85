import { answered, failed, type JavaScriptAnswer, refused } from './javascript-answer.ts';

/** The format of a cast of BYTES as it is looked up: capital and small letters do not differ. */
const nameOf = (format: string): string =>
  format
    .toUpperCase()
    .replace(/^HEX$/, 'BASE16')
    .replace(/^UTF8$/, 'UTF-8');

/** Formats of BigQuery that are not computed here. */
const OTHERS: ReadonlySet<string> = new Set(['BASE8', 'BASE32', 'BASE64M']);

const ASCII_END = 128;

/** CAST(bytes AS STRING FORMAT format) */
export function textOfBytes(bytes: Uint8Array, format: string): JavaScriptAnswer {
  const buffer = Buffer.from(bytes);
  const name = nameOf(format);
  switch (name) {
    case 'BASE16':
      return answered(buffer.toString('hex'));
    case 'BASE2':
      return answered(Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join(''));
    case 'BASE64':
      return answered(buffer.toString('base64'));
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
      return unknownFormat(name, format);
  }
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
      const bits = text.padStart(Math.ceil(text.length / 8) * 8, '0');
      return answered(
        (bits.match(/.{4}/g) ?? []).map((four) => Number.parseInt(four, 2).toString(16)).join(''),
      );
    }
    case 'BASE64': {
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
      return unknownFormat(name, format);
  }
}

function unknownFormat(name: string, format: string): JavaScriptAnswer {
  if (OTHERS.has(name)) return refused(`CAST with FORMAT '${name}'`);
  return failed(`Invalid format '${format.slice(0, 100)}'`);
}
