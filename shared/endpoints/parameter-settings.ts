import * as z from 'zod';
import { RESERVED_PARAMETERS } from '../sql/sandbox/reserved-parameters.ts';
import { type FileSetting, shapeOf, whenValid } from './setting-table.ts';

/** Most characters of a value where a parameter does not say; expressions cost more to read than text. */
const DEFAULT_MAX_LENGTH = { text: 4096, re2: 1024 } as const;
const LONGEST_MAX_LENGTH = 65_536;

const TYPES = ['STRING', 'INT64', 'FLOAT64', 'BOOL', 'TIMESTAMP'] as const;

/** What `parameters` in `queries/<name>.json` may say of one parameter. */
export const PARAMETER_SETTINGS = {
  name: {
    schema: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]{0,62}$/)
      .refine((name) => !RESERVED_PARAMETERS.has(name.toLowerCase()), {
        message: `is reserved: ${[...RESERVED_PARAMETERS].join(', ')} cannot be declared`,
      }),
    accepts: 'letters, digits and underscores, at most 63, the first no digit, such as project',
    means: 'What callers and the SQL call it: `@name` in the SQL',
  },
  type: {
    schema: z.enum(TYPES),
    accepts: `one of ${TYPES.join(', ')}`,
    means: 'The GoogleSQL type that the text of a request is read as',
  },
  required: {
    schema: z.boolean().default(false),
    accepts: 'true or false',
    means: 'Whether a request without it is refused; else it is NULL in the SQL where a request has none',
  },
  allowed: {
    schema: z.array(z.string().min(1)).min(1).nullable().default(null),
    accepts: 'null, or a list of texts, of a STRING only',
    means: 'The only values that there are; null for any',
    inner: { '[]': 'text that is not empty' },
  },
  format: {
    schema: z.enum(['re2']).nullable().default(null),
    accepts: 'null or "re2", of a STRING only',
    means: 'With "re2" the value must be a regular expression in RE2 syntax',
  },
  maxLength: {
    schema: z.int().min(1).max(LONGEST_MAX_LENGTH).optional(),
    accepts: `a whole number from 1 to ${LONGEST_MAX_LENGTH}`,
    means: `Most characters of the value; ${DEFAULT_MAX_LENGTH.text} where it is left out, ${DEFAULT_MAX_LENGTH.re2} with the format re2`,
  },
  description: {
    schema: z.string().trim().min(1),
    accepts: 'text that is not empty',
    means: 'What it is, for messages, the OpenAPI document, the page and the client’s types',
  },
  example: {
    schema: z.string().min(1),
    accepts: 'text of a value that the parameter accepts',
    means: 'A value to try; "npm start" prints a call with it',
  },
} satisfies Readonly<Record<string, FileSetting>>;

/** One object of `parameters`, with defaults for what it leaves out. Settings that exclude each other are an issue. */
export const parameterSettings = z
  .strictObject(shapeOf(PARAMETER_SETTINGS))
  .refine((spec) => spec.type === 'STRING' || (spec.allowed === null && spec.format === null), {
    message: 'only a STRING can have allowed values or a format',
    when: whenValid('type', 'allowed', 'format'),
  })
  .refine((spec) => spec.allowed === null || spec.format === null, {
    message: 'has allowed values and a format; one of them is enough',
    when: whenValid('allowed', 'format'),
  })
  .refine((spec) => new Set(spec.allowed).size === (spec.allowed?.length ?? 0), {
    message: 'lists an allowed value twice',
    when: whenValid('allowed'),
  })
  .transform((spec) => ({
    ...spec,
    maxLength: spec.maxLength ?? DEFAULT_MAX_LENGTH[spec.format ?? 'text'],
  }));
