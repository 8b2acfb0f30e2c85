import * as z from 'zod';
import { OPTIONAL_KINDS } from '../privacy/redactor.ts';
import { RESERVED_PARAMETERS } from '../sql/sandbox/reserved-parameters.ts';

/** Most rows that any endpoint may answer with. */
const MAX_ROWS = 1000;
const MAX_CACHE_SECONDS = 24 * 60 * 60;
const DEFAULT_CONSUMER_BYTES = 1024 ** 3;
/** BigQuery bills no query for less, so that a lower cap would refuse every query. */
const LEAST_MAX_BYTES = 10 * 1024 ** 2;

const maxBytesBilled = z
  .int()
  .min(LEAST_MAX_BYTES, `must be at least ${LEAST_MAX_BYTES} bytes: no query is billed for less`);
/** Most characters of a value where a parameter does not say; expressions cost more to read than text. */
const DEFAULT_MAX_LENGTH = { text: 4096, re2: 1024 } as const;
const LONGEST_MAX_LENGTH = 65_536;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const parameterSettings = z
  .strictObject({
    name: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]{0,62}$/, 'must be letters, digits and underscores, at most 63')
      .refine((name) => !RESERVED_PARAMETERS.has(name.toLowerCase()), {
        message: `is reserved: ${[...RESERVED_PARAMETERS].join(', ')} cannot be declared`,
      }),
    type: z.enum(['STRING', 'INT64', 'FLOAT64', 'BOOL', 'TIMESTAMP']),
    required: z.boolean().default(false),
    allowed: z.array(z.string().min(1)).min(1).nullable().default(null),
    format: z.enum(['re2']).nullable().default(null),
    maxLength: z.int().min(1).max(LONGEST_MAX_LENGTH).optional(),
    description: z.string().trim().min(1),
    example: z.string().min(1),
  })
  .transform((spec) => ({
    ...spec,
    maxLength: spec.maxLength ?? DEFAULT_MAX_LENGTH[spec.format ?? 'text'],
  }))
  .refine((spec) => spec.type === 'STRING' || (spec.allowed === null && spec.format === null), {
    message: 'only a STRING can have allowed values or a format',
  })
  .refine((spec) => spec.allowed === null || spec.format === null, {
    message: 'has allowed values and a format; one of them is enough',
  })
  .refine((spec) => isUnique(spec.allowed ?? []), { message: 'lists an allowed value twice' });

/** What `queries/<name>.json` may say; everything else is refused. */
export const endpointSettings = z
  .strictObject({
    id: z.string().regex(UUID, 'must be a UUID in lower case'),
    name: z
      .string()
      .max(100)
      .regex(/^[a-z0-9]+(?:[._-][a-z0-9]+)*$/, 'must be lower-case words joined by . _ or -')
      .refine((name) => !UUID.test(name), { message: 'must not look like a UUID' }),
    description: z.string().trim().min(1),
    maxRows: z.int().min(1).max(MAX_ROWS),
    cacheTtlSeconds: z.int().min(0).max(MAX_CACHE_SECONDS),
    warmEverySeconds: z
      .int()
      .min(60)
      .multipleOf(60, 'must be whole minutes, which is what schedulers count in')
      .nullable(),
    sandbox: z.boolean(),
    redactPii: z.boolean(),
    redactAlso: z
      .array(z.enum(OPTIONAL_KINDS))
      .refine(isUnique, { message: 'lists a kind twice' })
      .default([]),
    redactPaths: z
      .array(
        z
          .string()
          .max(300)
          .regex(
            /^[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*$/,
            'must be names joined by dots, such as metadata.request.headers.cookie',
          ),
      )
      .max(100)
      .refine(isUnique, { message: 'lists a path twice' })
      .default([]),
    consumerMaxBytesBilled: maxBytesBilled.default(DEFAULT_CONSUMER_BYTES),
    storedMaxBytesBilled: maxBytesBilled.nullable().default(null),
    timeWindow: z.strictObject({ start: z.string(), end: z.string() }).nullable().default(null),
    lookback: z
      .strictObject({ parameter: z.string(), seconds: z.record(z.string(), z.int().min(1)) })
      .nullable()
      .default(null),
    parameters: z
      .array(parameterSettings)
      .refine((specs) => isUnique(specs.map((spec) => spec.name.toLowerCase())), {
        message: 'two parameters of one name (GoogleSQL compares them without regard to case)',
      }),
  })
  .refine((settings) => settings.cacheTtlSeconds > 0 || settings.warmEverySeconds === null, {
    path: ['warmEverySeconds'],
    message: 'needs a cache: set cacheTtlSeconds, or warmEverySeconds to null',
  })
  .refine(
    (settings) =>
      settings.cacheTtlSeconds <= 0 || (settings.warmEverySeconds ?? 0) <= settings.cacheTtlSeconds,
    {
      path: ['warmEverySeconds'],
      message: 'must not be more than cacheTtlSeconds, or the cache is cold in between',
    },
  )
  .superRefine(({ timeWindow, parameters }, context) => {
    for (const [bound, name] of Object.entries(timeWindow ?? {})) {
      const spec = parameters.find((parameter) => parameter.name === name);
      if (spec?.type === 'TIMESTAMP' && !spec.required) continue;
      context.addIssue({
        code: 'custom',
        path: ['timeWindow', bound],
        message: `'${name}' must be a declared TIMESTAMP parameter that may be left out`,
      });
    }
  })
  .superRefine(({ lookback, parameters }, context) => {
    if (lookback === null) return;
    const spec = parameters.find(({ name }) => name === lookback.parameter);
    const values = Object.keys(lookback.seconds).sort();
    if (spec?.required && spec.allowed !== null && isSame(spec.allowed.toSorted(), values)) return;
    context.addIssue({
      code: 'custom',
      path: ['lookback'],
      message: `'${lookback.parameter}' must be a required parameter whose allowed values are those of seconds`,
    });
  })
  .refine(({ timeWindow, lookback }) => timeWindow === null || lookback === null, {
    path: ['lookback'],
    message: 'and timeWindow exclude each other',
  })
  .refine(({ timeWindow }) => timeWindow === null || timeWindow.start !== timeWindow.end, {
    path: ['timeWindow'],
    message: 'start and end must be two parameters',
  });

export type EndpointSettings = z.infer<typeof endpointSettings>;

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}

function isUnique(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}
