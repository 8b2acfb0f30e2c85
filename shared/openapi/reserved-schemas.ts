import type { Endpoint } from '../endpoints/endpoint.ts';
import { MEDIA_TYPES } from '../http/formats/format.ts';
import { TIMESTAMP_STYLES } from '../http/formats/timestamps.ts';
import { MAX_HISTOGRAM_SECONDS } from '../http/query/histogram-seconds.ts';
import { MAX_LQL_BYTES } from '../lql/lql-limits.ts';
import { MAX_FACET_VALUES } from '../sql/sandbox/entry-histogram.ts';
import { RESERVED_NAMES, type ReservedName } from '../sql/sandbox/reserved-parameters.ts';
import { MAX_QUERY_BYTES } from '../sql/text/sql-limits.ts';
import type { JsonSchema, OpenApiObject } from './json-schema.ts';

/** A parameter that every endpoint takes. */
export interface ReservedParameter {
  readonly description: string;
  readonly inUrl: JsonSchema;
  /** In the JSON object of a POST, where null counts as absent. */
  readonly inBody: JsonSchema;
}

const text = (format: string) => ({
  inUrl: { type: 'string', format },
  inBody: { type: ['string', 'null'], format },
});

const yesOrNo = { inUrl: { type: 'boolean' }, inBody: { enum: [true, false, 'true', 'false', '', null] } };

const FORMATS = Object.keys(MEDIA_TYPES);

const RESERVED: Readonly<Record<ReservedName, ReservedParameter>> = {
  sql: {
    description: `An ad-hoc query in GoogleSQL over the endpoint's sources, instead of its SELECT. Its parameters (\`@name\`) are those of the request. At most ${MAX_QUERY_BYTES} bytes`,
    ...text('googlesql'),
  },
  lql: {
    description: `The same in LQL, at most ${MAX_LQL_BYTES} bytes; where both are given, \`sql\` is run`,
    ...text('lql'),
  },
  explain: { description: 'Describes what would run, instead of answering rows', ...yesOrNo },
  meta: {
    description:
      'Adds `meta` to the JSON envelope: the values of the headers, and the columns with their types',
    ...yesOrNo,
  },
  format: {
    description: 'The format of the answer, whatever `Accept` says',
    inUrl: { type: 'string', enum: FORMATS },
    inBody: { enum: [...FORMATS, '', null] },
  },
  timestamps: {
    description: `How TIMESTAMPs are written: \`us\` and \`ms\` are microseconds and milliseconds since 1970-01-01T00:00:00Z, \`iso\` is ISO 8601 in UTC. Without it, \`us\``,
    inUrl: { type: 'string', enum: TIMESTAMP_STYLES },
    inBody: { enum: [...TIMESTAMP_STYLES, '', null] },
  },
  cursor: {
    description:
      'Where a result goes on. The header `Link` has the whole address of the next page: call it as it is. All other parameters but `format`, `timestamps` and `meta` are then ignored, and required ones may be left out',
    ...text('lqe-cursor'),
  },
  histogram: {
    description:
      'Counts the entries that the query selects, in place of its rows: a row of `timestamp` and `count` for each span of so many seconds that has entries. The query selects entries of one source: no aggregates, DISTINCT or set operations',
    inUrl: { type: 'integer', minimum: 1, maximum: MAX_HISTOGRAM_SECONDS },
    inBody: {
      anyOf: [{ type: 'integer', minimum: 1, maximum: MAX_HISTOGRAM_SECONDS }, { enum: ['', null] }],
    },
  },
  histogram_by: {
    description:
      'With `severity`, the histogram has a row for each span and severity: `timestamp`, `severity` (fatal, error, warning, info, debug, or null) and `count`',
    inUrl: { type: 'string', enum: ['severity'] },
    inBody: { enum: ['severity', '', null] },
  },
  facet: {
    description: `The path of a field, such as \`metadata.request.method\`. Counts the entries that the query selects by its values, in place of their rows: \`value\` and \`count\` of the ${MAX_FACET_VALUES} most frequent ones. It does not go with \`histogram\``,
    inUrl: { type: 'string' },
    inBody: { type: ['string', 'null'] },
  },
};

/** Those that concern a query of the caller's own. */
const OF_SANDBOX: ReadonlySet<ReservedName> = new Set(['sql', 'lql', 'histogram', 'histogram_by', 'facet']);

/** The parameters that an endpoint takes besides those that it declares, by name. */
export function reservedParameters({
  sandbox,
}: Pick<Endpoint, 'sandbox'>): readonly (readonly [ReservedName, ReservedParameter])[] {
  const names = sandbox ? RESERVED_NAMES : RESERVED_NAMES.filter((name) => !OF_SANDBOX.has(name));
  return names.map((name) => [name, RESERVED[name]]);
}

/** All of them in a URL, by name, for operations to refer to. */
export function reservedParameterComponents(): Readonly<Record<string, OpenApiObject>> {
  const parameter = (name: ReservedName) => {
    const { description, inUrl } = RESERVED[name];
    return { name, in: 'query', description, allowEmptyValue: true, schema: inUrl };
  };
  return Object.fromEntries(RESERVED_NAMES.map((name) => [name, parameter(name)]));
}
