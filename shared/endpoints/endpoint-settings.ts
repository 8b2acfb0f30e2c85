import * as z from 'zod';
import { OPTIONAL_KINDS } from '../privacy/redactor.ts';
import { PARAMETER_SETTINGS, parameterSettings } from './parameter-settings.ts';
import { acceptedAt, type FileSetting, shapeOf, whenValid } from './setting-table.ts';

/** Most rows that any endpoint may answer with. */
const MAX_ROWS = 1000;
const MAX_CACHE_SECONDS = 24 * 60 * 60;
/** BigQuery bills no query for less, so that a lower cap would refuse every query. */
const LEAST_MAX_BYTES = 10 * 1024 ** 2;
const MOST_PATHS = 100;
const MAX_GRACE_SECONDS = 7 * 24 * 60 * 60;
const MERGES = ['key', 'sum', 'min', 'max', 'any'] as const;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const PATH = /^[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*$/;
const NAME = /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/;

const maxBytesBilled = z.int().min(LEAST_MAX_BYTES).nullable().default(null);
const BYTES = `null (what the service allows), or a whole number of bytes from ${LEAST_MAX_BYTES} (no query is billed for less)`;

/** What `queries/<name>.json` may say; everything else is refused. */
export const ENDPOINT_SETTINGS = {
  id: {
    schema: z.string().regex(UUID),
    accepts: 'a UUID in lower case',
    means: 'The address that stays when the name changes',
  },
  name: {
    schema: z
      .string()
      .max(100)
      .regex(NAME)
      .refine((name) => !UUID.test(name), { message: 'must not look like a UUID' }),
    accepts: 'lower-case words of letters and digits joined by . _ or -, at most 100 characters',
    means: 'The address, and the name of both files',
  },
  description: {
    schema: z.string().trim().min(1),
    accepts: 'text that is not empty',
    means: 'What it answers, for the OpenAPI document, the page and the client’s types',
  },
  maxRows: {
    schema: z.int().min(1).max(MAX_ROWS),
    accepts: `a whole number from 1 to ${MAX_ROWS}`,
    means: 'Most rows of one answer',
  },
  cacheTtlSeconds: {
    schema: z.int().min(0).max(MAX_CACHE_SECONDS),
    accepts: `a whole number of seconds from 0 (never cached) to ${MAX_CACHE_SECONDS}`,
    means: 'How long a cached answer may be served',
  },
  warmEverySeconds: {
    schema: z.int().min(60).multipleOf(60).nullable(),
    accepts: 'null (never warmed), or whole minutes in seconds (60, 120, 180, …), at most cacheTtlSeconds',
    means: 'How often requested answers are refreshed in advance',
  },
  sandbox: {
    schema: z.boolean(),
    accepts: 'true or false',
    means: 'Whether consumers may send ad-hoc queries in SQL or LQL over the CTEs of the query',
  },
  redactPii: {
    schema: z.boolean(),
    accepts: 'true or false',
    means: 'Whether answers are always redacted',
  },
  redactAlso: {
    schema: z.array(z.enum(OPTIONAL_KINDS)).refine(isUnique, { message: 'lists a kind twice' }).default([]),
    accepts: `a list of ${OPTIONAL_KINDS.join(', ')}`,
    means: 'What redaction replaces besides IP addresses',
    inner: { '[]': `one of ${OPTIONAL_KINDS.join(', ')}` },
  },
  redactPaths: {
    schema: z
      .array(z.string().max(300).regex(PATH))
      .max(MOST_PATHS)
      .refine(isUnique, { message: 'lists a path twice' })
      .default([]),
    accepts: `a list of at most ${MOST_PATHS} paths such as metadata.request.headers.cookie`,
    means: 'Fields of the CTEs that redaction replaces as a whole, before any query sees them',
    inner: { '[]': 'names joined by dots, such as metadata.request.headers.cookie' },
  },
  consumerMaxBytesBilled: {
    schema: maxBytesBilled,
    accepts: BYTES,
    means:
      'Most bytes that BigQuery may bill for one query of a consumer; a lower limit of the service or the token holds',
  },
  storedMaxBytesBilled: {
    schema: maxBytesBilled,
    accepts: BYTES,
    means:
      'Most bytes that BigQuery may bill for the stored query; a lower limit of the service or the token holds',
  },
  projectParameter: {
    schema: z.string().nullable().optional(),
    accepts: 'null, or the name of a parameter',
    means:
      'The parameter that says which project is read; without it, access tokens that are limited to projects cannot use the endpoint; if absent, the parameter project where there is one',
  },
  timeWindow: {
    schema: z.strictObject({ start: z.string(), end: z.string() }).nullable().default(null),
    accepts: 'null, or {"start": …, "end": …} with the names of two TIMESTAMP parameters',
    means:
      'The parameters that bound the time of the entries from below and above; not together with lookback',
    inner: {
      start: 'the name of a TIMESTAMP parameter that may be left out',
      end: 'the name of a TIMESTAMP parameter that may be left out',
    },
  },
  lookback: {
    schema: z
      .strictObject({ parameter: z.string(), seconds: z.record(z.string(), z.int().min(1)) })
      .nullable()
      .default(null),
    accepts:
      'null, or {"parameter": …, "seconds": {value: seconds, …}} with all allowed values of a parameter',
    means: 'How far back from now the query reads, by the value of a parameter; not together with timeWindow',
    inner: {
      parameter: 'the name of a required parameter with allowed values',
      seconds: 'an object with seconds for each allowed value of the parameter',
      'seconds.*': 'a whole number of seconds from 1',
    },
  },
  sealedBuckets: {
    schema: z
      .strictObject({
        grain: z.enum(['hour', 'day']),
        graceSeconds: z.int().min(0).max(MAX_GRACE_SECONDS),
        merge: z.record(z.string(), z.enum(MERGES)),
      })
      .nullable()
      .default(null),
    accepts:
      'null, or {"grain": …, "graceSeconds": …, "merge": {column: how, …}} with all columns of the answer',
    means:
      'Keeps the counts of full hours or days that are over, so that a refresh reads the edges of the window alone; see below',
    inner: {
      grain: 'hour or day',
      graceSeconds: `a whole number of seconds from 0 to ${MAX_GRACE_SECONDS}`,
      merge: 'an object with one of key, sum, min, max, any for each column of the answer',
      'merge.*': `one of ${MERGES.join(', ')}`,
    },
  },
  parameters: {
    schema: z
      .array(parameterSettings)
      .refine((specs) => isUnique(specs.map((spec) => spec.name.toLowerCase())), {
        message: 'two parameters of one name (GoogleSQL compares them without regard to case)',
      }),
    accepts: 'a list of parameters, [] for none',
    means: 'What a request may and must give; each is an object with the settings below',
    inner: { '[]': `an object with ${Object.keys(PARAMETER_SETTINGS).join(', ')}` },
  },
} satisfies Readonly<Record<string, FileSetting>>;

/** The content of `queries/<name>.json`; everything that is wrong with it is an issue, all at once. */
export const endpointSettings = z
  .strictObject(shapeOf(ENDPOINT_SETTINGS))
  .refine((settings) => settings.cacheTtlSeconds > 0 || settings.warmEverySeconds === null, {
    path: ['warmEverySeconds'],
    message: 'needs a cache: set cacheTtlSeconds, or warmEverySeconds to null',
    when: whenValid('cacheTtlSeconds', 'warmEverySeconds'),
  })
  .refine(
    (settings) =>
      settings.cacheTtlSeconds <= 0 || (settings.warmEverySeconds ?? 0) <= settings.cacheTtlSeconds,
    {
      path: ['warmEverySeconds'],
      message: 'must not be more than cacheTtlSeconds, or the cache is cold in between',
      when: whenValid('cacheTtlSeconds', 'warmEverySeconds'),
    },
  )
  .refine(
    ({ projectParameter, parameters }) =>
      projectParameter === null ||
      projectParameter === undefined ||
      parameters.some(({ name }) => name === projectParameter),
    {
      path: ['projectParameter'],
      message: 'must be the name of a declared parameter',
      when: whenValid('projectParameter', 'parameters'),
    },
  )
  .superRefine(
    ({ timeWindow, parameters }, context) => {
      for (const [bound, name] of Object.entries(timeWindow ?? {})) {
        const spec = parameters.find((parameter) => parameter.name === name);
        if (spec?.type === 'TIMESTAMP' && !spec.required) continue;
        context.addIssue({
          code: 'custom',
          path: ['timeWindow', bound],
          message: `'${name}' must be a declared TIMESTAMP parameter that may be left out`,
        });
      }
    },
    { when: whenValid('timeWindow', 'parameters') },
  )
  .superRefine(
    ({ lookback, parameters }, context) => {
      if (lookback === null) return;
      const spec = parameters.find(({ name }) => name === lookback.parameter);
      const values = Object.keys(lookback.seconds).sort();
      if (spec?.required && spec.allowed !== null && isSame(spec.allowed.toSorted(), values)) return;
      context.addIssue({
        code: 'custom',
        path: ['lookback'],
        message: `'${lookback.parameter}' must be a required parameter whose allowed values are those of seconds`,
      });
    },
    { when: whenValid('lookback', 'parameters') },
  )
  .refine(({ timeWindow, lookback }) => timeWindow === null || lookback === null, {
    path: ['lookback'],
    message: 'and timeWindow exclude each other',
    when: whenValid('timeWindow', 'lookback'),
  })
  .refine(({ timeWindow, sealedBuckets }) => timeWindow === null || sealedBuckets === null, {
    path: ['sealedBuckets'],
    message: 'and timeWindow exclude each other: what is kept goes with a window that ends now',
    when: whenValid('timeWindow', 'sealedBuckets'),
  })
  .refine(({ cacheTtlSeconds, sealedBuckets }) => cacheTtlSeconds > 0 || sealedBuckets === null, {
    path: ['sealedBuckets'],
    message: 'needs a cache: set cacheTtlSeconds, or sealedBuckets to null',
    when: whenValid('cacheTtlSeconds', 'sealedBuckets'),
  })
  .refine(({ timeWindow }) => timeWindow === null || timeWindow.start !== timeWindow.end, {
    path: ['timeWindow'],
    message: 'start and end must be two parameters',
    when: whenValid('timeWindow'),
  });

/** The settings of one endpoint, checked, with defaults for those that its file leaves out. */
export type EndpointSettings = z.infer<typeof endpointSettings>;

/** What an endpoint's settings accept at a path into its file, in words that follow "it takes". */
export function acceptedSetting([first, index, ...rest]: readonly PropertyKey[]): string | undefined {
  if (first === 'parameters' && rest.length > 0) return acceptedAt(PARAMETER_SETTINGS, rest);
  return acceptedAt(
    ENDPOINT_SETTINGS,
    [first, index, ...rest].filter((step) => step !== undefined),
  );
}

const NESTED_NAMES: Readonly<Record<string, readonly string[]>> = {
  timeWindow: ['start', 'end'],
  lookback: ['parameter', 'seconds'],
  sealedBuckets: ['grain', 'graceSeconds', 'merge'],
};

/** The names of the settings in the object at a path into an endpoint's file. */
export function settingNames([first, ...rest]: readonly PropertyKey[]): readonly string[] {
  if (first === undefined) return Object.keys(ENDPOINT_SETTINGS);
  if (first === 'parameters' && rest.length > 0) return Object.keys(PARAMETER_SETTINGS);
  return NESTED_NAMES[String(first)] ?? [];
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}

function isUnique(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}
