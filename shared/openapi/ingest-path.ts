import { INGEST_ROUTE } from '../http/ingest/ingest-handler.ts';
import { answerHeaders, headerParameters } from './headers.ts';
import { closedObject, type JsonSchema, type OpenApiObject } from './json-schema.ts';
import { errorsOf, preflightResponses } from './responses.ts';

const COUNT = { type: 'integer', minimum: 0 };

const ENTRY: JsonSchema = {
  type: 'object',
  properties: {
    id: {
      type: ['string', 'integer', 'null'],
      description:
        'Of two entries with the same id, the embedded engine takes the first. Without an id, one is made',
    },
    timestamp: {
      type: ['string', 'number', 'null'],
      description:
        'ISO 8601, or a number of seconds, milliseconds, microseconds or nanoseconds. Without it, the present',
    },
    message: {
      type: ['string', 'null'],
      description: 'Another name of `event_message`, which comes before it',
    },
    event_message: { type: ['string', 'null'] },
    project: { type: ['string', 'null'] },
  },
  additionalProperties: { description: 'Columns of the source; what is none is put into `metadata`' },
};

const ENTRIES: JsonSchema = { type: 'array', items: ENTRY };

const SOURCE = {
  description: 'The source, by its name or another one that programs know it by',
  schema: { type: 'string' },
};

const TAKEN = closedObject({
  message: { const: 'Logged!' },
  taken: { ...COUNT, description: 'Entries that were stored' },
  duplicates: {
    ...COUNT,
    description: 'Entries that were left out, since their id was taken before',
  },
});

/** An ExportLogsServiceResponse that rejects nothing. */
const OTLP_TAKEN = { ...closedObject({}), description: 'Where the body was a request of OTLP' };

/** The path of a service that takes entries, with its operations. */
export function ingestPath(): Readonly<Record<string, OpenApiObject>> {
  const taken = {
    description: 'All entries are durable',
    headers: answerHeaders('with_token', 200),
    content: {
      'application/json': {
        schema: { anyOf: [TAKEN, OTLP_TAKEN] },
      },
    },
  };
  const item = {
    post: {
      operationId: 'post.logs',
      tags: ['service'],
      summary: 'Writes entries to a source, all or none',
      description:
        'Needs an access token that may write to the source. A body may be compressed with gzip. Instead of entries it may have log records as OTLP sends them in JSON (`resourceLogs`).',
      parameters: [
        { name: 'source', in: 'query', ...SOURCE },
        {
          name: 'source_name',
          in: 'query',
          ...SOURCE,
          description: 'Another name of the parameter `source`',
        },
        ...headerParameters('with_token', false),
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              anyOf: [
                ENTRIES,
                { type: 'object', required: ['batch'], properties: { batch: ENTRIES } },
                ENTRY,
              ],
            },
          },
          'application/x-ndjson': { schema: { type: 'string', description: 'An entry a line' } },
        },
      },
      responses: {
        200: taken,
        ...errorsOf('with_token', [
          'invalid_argument',
          'unauthenticated',
          'permission_denied',
          'method_not_allowed',
          'body_too_large',
          'url_too_long',
          'unsupported_media_type',
          'headers_too_large',
          'resource_exhausted',
          'internal',
          'unavailable',
        ]),
      },
    },
    options: {
      operationId: 'options.logs',
      tags: ['service'],
      summary: 'The methods, for browsers',
      parameters: headerParameters('open', false),
      security: [],
      responses: preflightResponses('with_token'),
    },
  };
  return { [INGEST_ROUTE]: item };
}
