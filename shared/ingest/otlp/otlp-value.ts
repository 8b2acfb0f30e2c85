import { MalformedJson } from '../../json/json-parts.ts';

/** JSON as JSON.parse makes it, of an object; its prototype has nothing of the sender's. */
export type OtlpObject = Readonly<Record<string, unknown>>;

/** A value that may be an object. Null and absence are null. Throws MalformedJson, which calls it `what`. */
export function objectAt(value: unknown, what: string): OtlpObject | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'object' || Array.isArray(value)) throw new MalformedJson(`${what} is not an object`);
  return value as OtlpObject;
}

/** A value that may be an array of objects; none for null and absence. */
export function objectsAt(value: unknown, what: string): readonly OtlpObject[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new MalformedJson(`${what} is not an array`);
  return value.map((one: unknown, index) => objectAt(one, `${what}[${index}]`) ?? {});
}

/** A value that may be text; null for empty text, too, which is how protocol buffers write absence. */
export function textAt(value: unknown, what: string): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string') throw new MalformedJson(`${what} is not text`);
  return value;
}

const INTEGER = /^-?\d{1,20}$/;
const MAX_DEPTH = 32;

/**
 * The JSON text of an AnyValue of OTLP (opentelemetry-proto, common.proto): of text, numbers and Booleans as they are. An
 * array or a map becomes text with its JSON, since values of one name in many programs are not of one form. Null for no value. Throws MalformedJson.
 */
export function scalarText(value: OtlpObject | null, what: string): string | null {
  const plain = plainText(value, what, 0);
  if (plain === null || plain === 'null') return null;
  return plain.startsWith('{') || plain.startsWith('[') ? JSON.stringify(plain) : plain;
}

function plainText(value: OtlpObject | null, what: string, depth: number): string | null {
  if (value === null) return null;
  if (depth > MAX_DEPTH) throw new MalformedJson(`${what} is nested more than ${MAX_DEPTH} levels deep`);
  const [kind] = Object.keys(value).filter((name) => Object.hasOwn(KINDS, name));
  const given = kind === undefined ? null : value[kind];
  switch (kind) {
    case undefined:
      return null;
    case 'stringValue':
    case 'bytesValue':
      return JSON.stringify(typeof given === 'string' ? given : refuse(what, 'text'));
    case 'boolValue':
      return typeof given === 'boolean' ? String(given) : refuse(what, 'true or false');
    case 'intValue':
      return INTEGER.test(String(given)) ? String(BigInt(String(given))) : refuse(what, 'a whole number');
    case 'doubleValue':
      return doubleText(given) ?? refuse(what, 'a number');
    case 'arrayValue': {
      const values = objectsAt(objectAt(given, what)?.values, `${what}.values`);
      return `[${values.map((one) => plainText(one, what, depth + 1) ?? 'null').join(',')}]`;
    }
    default: {
      const values = objectsAt(objectAt(given, what)?.values, `${what}.values`);
      const fields = values.map((pair) => {
        const text = plainText(objectAt(pair.value, what), what, depth + 1) ?? 'null';
        return `${JSON.stringify(textAt(pair.key, `${what}.key`) ?? '')}:${text}`;
      });
      return `{${fields.join(',')}}`;
    }
  }
}

const KINDS = {
  stringValue: true,
  boolValue: true,
  intValue: true,
  doubleValue: true,
  bytesValue: true,
  arrayValue: true,
  kvlistValue: true,
};

/** Protocol buffers write infinities and NaN as text, and may write any number as text. */
function doubleText(value: unknown): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null;
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return JSON.stringify(value);
  return typeof value === 'string' && value !== '' && Number.isFinite(Number(value))
    ? String(Number(value))
    : null;
}

function refuse(what: string, accepted: string): never {
  throw new MalformedJson(`${what} is not ${accepted}`);
}
