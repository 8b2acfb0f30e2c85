import type { Endpoint, ParameterSpec } from '../endpoints/endpoint.ts';
import { ISO_TIMESTAMP_ACCEPTED } from '../time/iso-timestamp.ts';
import type { JsonSchema } from './json-schema.ts';

/** Control characters are in no value (`\p{Cc}`, written so that every dialect of regular expressions reads it). */
const NO_CONTROLS = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';

/** Of JSON's values, those whose text is taken for a parameter's. */
const SCALARS = ['string', 'number', 'boolean'];

/** The schema of a declared parameter in a URL. */
export function urlSchema(spec: ParameterSpec): JsonSchema {
  switch (spec.type) {
    case 'STRING':
      return { type: 'string', ...textRules(spec) };
    case 'INT64':
      return { type: 'integer', format: 'int64' };
    case 'FLOAT64':
      return { type: 'number', format: 'double' };
    case 'BOOL':
      return { type: 'boolean' };
    case 'TIMESTAMP':
      return { type: 'string', format: 'iso-8601', description: `It is ${ISO_TIMESTAMP_ACCEPTED}` };
    default: {
      const unreachable: never = spec.type;
      throw new TypeError(`parameter type ${unreachable}`);
    }
  }
}

/** The schema of the same in the JSON object of a POST: numbers and booleans count by their text, null as absent. */
export function bodySchema(spec: ParameterSpec): JsonSchema {
  const schema = bodyValue(spec);
  if (spec.required) return schema;
  return { anyOf: [schema, { enum: ['', null], description: 'Counts as absent' }] };
}

function bodyValue(spec: ParameterSpec): JsonSchema {
  switch (spec.type) {
    case 'STRING':
      return spec.allowed === null ? { type: SCALARS, ...textRules(spec) } : urlSchema(spec);
    case 'INT64':
      return { type: ['integer', 'string'], format: 'int64', pattern: '^-?[0-9]{1,30}$' };
    case 'FLOAT64':
      return {
        type: ['number', 'string'],
        format: 'double',
        pattern: '^-?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$',
      };
    case 'BOOL':
      return { enum: [true, false, 'true', 'false'] };
    case 'TIMESTAMP':
      return urlSchema(spec);
    default: {
      const unreachable: never = spec.type;
      throw new TypeError(`parameter type ${unreachable}`);
    }
  }
}

/** Lengths count characters (Unicode code points), as JSON Schema's do. */
function textRules({ allowed, format, maxLength }: ParameterSpec): JsonSchema {
  if (allowed !== null) return { enum: allowed };
  const rules = { minLength: 1, maxLength, pattern: NO_CONTROLS };
  return format === null ? rules : { format, ...rules };
}

/** Whether a parameter is the project and the token limited to some: it needs one of them, character for character. */
export function isLimited(
  { name }: ParameterSpec,
  { projectParameter }: Pick<Endpoint, 'projectParameter'>,
  projects: readonly string[] | null,
): boolean {
  return projects !== null && name === projectParameter;
}
