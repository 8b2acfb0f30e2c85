import type { ServiceError } from '../errors/service-error.ts';
import type { QueryParameter } from '../sql/types/query-parameter.ts';
import type { ScalarTypeName } from '../sql/types/sql-type.ts';
import { lqlError, quoteText } from './lql-error.ts';
import type { ValueText } from './tree.ts';

/** The types of fields that values can be compared with. */
export type ValueType = 'STRING' | 'INT64' | 'FLOAT64' | 'BOOL';

const WHOLE_NUMBER = /^-?[0-9]+$/;
const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?$/;

/** Whether values can be compared with fields of a type. */
export function isValueType(kind: ScalarTypeName | 'ARRAY' | 'STRUCT'): kind is ValueType {
  return kind === 'STRING' || kind === 'INT64' || kind === 'FLOAT64' || kind === 'BOOL';
}

/**
 * A value in the type of the field at `path`, exactly. Throws a ServiceError (invalid_argument, type) for text that does
 * not fit the type, with the place.
 */
export function typedValue(
  text: string,
  value: ValueText,
  type: ValueType,
  path: string,
): QueryParameter & { readonly value: string | bigint | number | boolean } {
  const written = value.text;
  switch (type) {
    case 'STRING':
      return { type, value: written };
    case 'BOOL':
      if (written === 'true' || written === 'false') return { type, value: written === 'true' };
      throw misfit(text, value, type, path);
    case 'INT64': {
      const whole = WHOLE_NUMBER.test(written) ? BigInt(written) : null;
      if (whole === null || BigInt.asIntN(64, whole) !== whole) throw misfit(text, value, type, path);
      return { type, value: whole };
    }
    case 'FLOAT64': {
      const number = NUMBER.test(written) ? Number(written) : Number.NaN;
      if (!Number.isFinite(number)) throw misfit(text, value, type, path);
      return { type, value: number };
    }
    default: {
      const unreachable: never = type;
      throw new TypeError(`type ${unreachable}`);
    }
  }
}

function misfit(text: string, { text: written, at }: ValueText, type: ValueType, path: string): ServiceError {
  return lqlError(text, at, 'type', `expected ${type} for ${path}, got ${quoteText(written)}`);
}
