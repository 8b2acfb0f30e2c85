import type { QueryParameter } from '../../../sql/types/query-parameter.ts';
import { timestampText } from '../../../sql/values/timestamp-text.ts';

/** A named parameter as jobs.query takes it. */
export interface RestParameter {
  readonly name: string;
  readonly parameterType: { readonly type: QueryParameter['type'] };
  /** Null is a NULL of the type. */
  readonly parameterValue: { readonly value: string | null };
}

/** A typed value under a name. Throws a TypeError for a value that is not of its type. */
export function restParameter(name: string, parameter: QueryParameter): RestParameter {
  return {
    name,
    parameterType: { type: parameter.type },
    parameterValue: { value: valueText(parameter) },
  };
}

function valueText({ type, value }: QueryParameter): string | null {
  if (value === null) return null;
  if (type === 'STRING' && typeof value === 'string') return value;
  if (type === 'INT64' && typeof value === 'bigint') return String(value);
  if (type === 'FLOAT64' && typeof value === 'number') return String(value);
  if (type === 'BOOL' && typeof value === 'boolean') return String(value);
  if (type === 'TIMESTAMP' && typeof value === 'bigint') return timestampText(value);
  throw new TypeError(`a ${type} parameter cannot be a ${typeof value}`);
}
