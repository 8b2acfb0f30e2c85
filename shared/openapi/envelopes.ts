import { ERROR_KINDS, type ErrorDetail, type LongestWindow } from '../errors/service-error.ts';
import type { AnswerMeta } from '../http/response/answer-meta.ts';
import type { ColumnSchema } from '../http/response/column-schema.ts';
import type { Explanation } from '../http/response/explain-reply.ts';
import type { LqlExplanation } from '../lql/describe.ts';
import { closedObject, type JsonSchema, nullable, refTo } from './json-schema.ts';

const TEXT = { type: 'string' };
const COUNT = { type: 'integer', minimum: 0 };
const INSTANT = { type: ['string', 'null'], format: 'date-time' };

const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

const COLUMN: Readonly<Record<keyof ColumnSchema, JsonSchema>> = {
  name: TEXT,
  type: TEXT,
  mode: { enum: ['NULLABLE', 'REPEATED'] },
  fields: { ...listOf(refTo('schemas', 'Column')), description: 'Of a RECORD only' },
};

const META: Readonly<Record<keyof AnswerMeta, JsonSchema>> = {
  rowCount: COUNT,
  truncated: { type: 'boolean' },
  cache: closedObject({ state: { enum: ['HIT', 'MISS', 'REFRESH', 'BYPASS'] }, ageSeconds: COUNT }),
  bytesProcessed: { ...nullable(COUNT), description: 'Null where the warehouse does not count' },
  bytesBilled: {
    ...nullable(COUNT),
    description: 'What the query of these rows billed when it ran; null where the warehouse does not count',
  },
  rowsScanned: {
    ...nullable(COUNT),
    description: 'Null where the embedded engine has not counted the rows that it read',
  },
  timeWindow: {
    ...nullable(closedObject({ start: INSTANT, end: INSTANT })),
    description: 'What bounds time: after `start`, up to `end`; null where nothing does',
  },
  redactions: { ...nullable(COUNT), description: 'Null where redaction was off' },
  requestId: TEXT,
  ignoredParameters: listOf(TEXT),
  hints: listOf(TEXT),
  next: { type: ['string', 'null'], description: 'The address of the rows that follow' },
  columns: listOf(refTo('schemas', 'Column')),
};

const LQL: Readonly<Record<keyof LqlExplanation, JsonSchema>> = {
  source: TEXT,
  clauses: listOf({ type: 'object' }),
  sql: { ...TEXT, description: 'The same in GoogleSQL' },
  parameters: listOf(
    closedObject({ name: TEXT, type: TEXT, value: { type: ['string', 'number', 'boolean', 'null'] } }),
  ),
  window: closedObject({ from: INSTANT, to: INSTANT }),
};

const EXPLANATION: Readonly<Record<keyof Explanation, JsonSchema>> = {
  sources: { ...listOf(TEXT), description: "The endpoint's sources that the query reads" },
  columns: listOf(refTo('schemas', 'Column')),
  parameters: listOf(closedObject({ name: TEXT, type: TEXT })),
  estimatedBytes: {
    ...nullable(COUNT),
    description: 'What the query would read, at most; null where the warehouse does not count',
  },
  estimatedBytesBilled: {
    ...nullable(COUNT),
    description: 'What it would bill for that, at most; null where the warehouse does not bill',
  },
  maxBytesBilled: {
    ...nullable(COUNT),
    description: 'The most that it may bill; null where there is no cap, or nothing is billed',
  },
  wouldBeRefused: {
    type: ['boolean', 'null'],
    description:
      'Whether it would bill more than that; null where nothing is billed, or it shows only as it runs',
  },
  warnings: listOf(TEXT),
  entriesOf: {
    type: ['string', 'null'],
    description: 'The source whose entries the rows are: `histogram` counts them. Null for other rows',
  },
  lql: { ...closedObject(LQL), description: 'Of a query in LQL only' },
};

const LONGEST_WINDOW: Readonly<Record<keyof LongestWindow, JsonSchema>> = {
  seconds: COUNT,
  duration: { type: 'string', format: 'duration', description: 'The same in ISO 8601' },
  parameters: {
    type: 'object',
    additionalProperties: TEXT,
    description: 'Values of parameters that ask for it',
  },
  isVerified: {
    type: 'boolean',
    description:
      'Whether the warehouse has estimated that it fits; else it follows from the estimate of the whole',
  },
};

const DETAIL: Readonly<Record<keyof ErrorDetail, JsonSchema>> = {
  parameter: { ...TEXT, description: 'The parameter that the error is about' },
  line: { type: 'integer', minimum: 1 },
  column: { type: 'integer', minimum: 1, description: 'Counted in characters' },
  reason: TEXT,
  entry: { ...COUNT, description: 'The place of a malformed entry in a batch of log entries, from 0' },
  field: { ...TEXT, description: 'The field that is at fault in that entry' },
  estimatedBytesBilled: {
    ...COUNT,
    description: 'What the query would bill, by the estimate of the warehouse',
  },
  maxBytesBilled: { ...COUNT, description: 'The most that it may bill' },
  longestWindow: {
    ...nullable(closedObject(LONGEST_WINDOW)),
    description:
      'The longest time range that stays within that limit; null where there is none, or it is unknown',
  },
};

const KINDS = Object.values(ERROR_KINDS);

/** What answers consist of besides rows, by the names that the rest of the document uses. */
export const ENVELOPE_COMPONENTS: Readonly<Record<string, JsonSchema>> = {
  Column: { ...closedObject(COLUMN), required: ['name', 'type', 'mode'] },
  Meta: {
    ...closedObject(META),
    description: 'With `meta=true`: the values of the headers, and the columns',
  },
  Explanation: closedObject(
    {
      explain: {
        ...closedObject(EXPLANATION),
        required: Object.keys(EXPLANATION).filter((key) => key !== 'lql'),
      },
    },
    { description: 'With `explain=true`: what would be run, in place of rows' },
  ),
  OwnRows: envelope(
    { type: 'object', additionalProperties: true },
    'With `sql` or `lql`: rows with the columns of the ad-hoc query',
  ),
  Error: closedObject({
    error: closedObject({
      code: { enum: KINDS.map(({ code }) => code), description: 'The HTTP status code' },
      status: { enum: [...new Set(KINDS.map(({ status }) => status))] },
      message: { ...TEXT, description: 'What to change' },
      details: {
        ...listOf({ type: 'object', properties: DETAIL, additionalProperties: false }),
        description: 'What the error is about; may be empty',
      },
    }),
  }),
};

/** The envelope of rows. */
export function envelope(row: JsonSchema, description: string): JsonSchema {
  const properties = { result: listOf(row), meta: refTo('schemas', 'Meta') };
  return { type: 'object', description, properties, required: ['result'], additionalProperties: false };
}
