import { malformedEntry } from '../../errors/refused-entry.ts';
import { MalformedJson } from '../../json/json-parts.ts';
import { NOT_IN_COLUMN_NAMES } from '../../schema/column-name.ts';
import { formatMicros } from '../../time/iso-timestamp.ts';
import { type OtlpObject, objectAt, objectsAt, scalarText, textAt } from './otlp-value.ts';

/** The only field of an ExportLogsServiceRequest, so it comes first. */
const REQUEST = /^\s*\{\s*"resourceLogs"\s*:/;

/** Whether a text is an object in the form in which OTLP sends log records (opentelemetry.io/docs/specs/otlp, "JSON Protobuf Encoding"). */
export function isOtlpRequest(text: string): boolean {
  return REQUEST.test(text);
}

/**
 * The log records of an object in the form of OTLP, as texts of received entries, one after the other. The body is the event message, the
 * time the timestamp, `log.record.uid` the id; attributes of the resource and of the record are fields beside them, and severity, trace, span
 * and scope are in the metadata. Points in names become underscores. `first` is the index of the first record in its request. Throws MalformedJson for another form, and a ServiceError
 * (invalid_argument) for a record, by its index.
 */
export function* otlpEntries(text: string, first: number): Generator<string> {
  const request = parse(text);
  let index = first;
  for (const [r, { resource, scopeLogs }] of objectsAt(request.resourceLogs, 'resourceLogs').entries()) {
    const where = `resourceLogs[${r}]`;
    const fields = attributesOf(
      objectAt(resource, `${where}.resource`)?.attributes,
      `${where}.resource.attributes`,
    );
    for (const [s, { scope, logRecords }] of objectsAt(scopeLogs, `${where}.scopeLogs`).entries()) {
      const scopeName = textAt(objectAt(scope, `${where}.scope`)?.name, `${where}.scope.name`);
      for (const record of objectsAt(logRecords, `${where}.scopeLogs[${s}].logRecords`)) {
        yield entryOf(record, fields, scopeName, index);
        index += 1;
      }
    }
  }
}

function parse(text: string): OtlpObject {
  try {
    return objectAt(JSON.parse(text), 'the body') ?? {};
  } catch (error) {
    if (error instanceof MalformedJson) throw error;
    throw new MalformedJson(error instanceof Error ? error.message : String(error));
  }
}

/** Texts of values by name in lower case, with the name as it was written. */
type Fields = ReadonlyMap<string, readonly [name: string, text: string]>;

function attributesOf(value: unknown, what: string): Fields {
  const fields = new Map<string, readonly [string, string]>();
  for (const [index, pair] of objectsAt(value, what).entries()) {
    const key = textAt(pair.key, `${what}[${index}].key`) ?? '';
    const text = scalarText(objectAt(pair.value, `${what}[${index}].value`), `${what}, ${key}`);
    const name = key.replaceAll(NOT_IN_NAMES, '_') || '_';
    if (text !== null) fields.set(name.toLowerCase(), [name, text]);
  }
  return fields;
}

const NOT_IN_NAMES = new RegExp(NOT_IN_COLUMN_NAMES, 'gu');

/** Names that mean something else in an entry: attributes of these names are in the metadata. */
const TAKEN = new Set(['id', 'timestamp', 'message', 'event_message', 'metadata']);
const UID = 'log_record_uid';

function entryOf(record: OtlpObject, resource: Fields, scope: string | null, index: number): string {
  try {
    const fields = new Map([
      ...recordFields(record, scope),
      ...resource,
      ...attributesOf(record.attributes, 'attributes'),
    ]);
    const uid = fields.get(UID);
    const metadata: string[] = [];
    const others: string[] = [];
    for (const [known, [name, text]] of fields) {
      if (known !== UID)
        (OWN.has(known) || TAKEN.has(known) ? metadata : others).push(`${JSON.stringify(name)}:${text}`);
    }
    const own = [
      ...field('id', uid === undefined ? null : uid[1]),
      ...field('timestamp', timeOf(record)),
      ...field('event_message', messageOf(record)),
      ...field('metadata', metadata.length === 0 ? null : `{${metadata.join(',')}}`),
    ];
    return `{${[...own, ...others].join(',')}}`;
  } catch (error) {
    if (error instanceof MalformedJson) throw malformedEntry(index, '', error.message);
    throw error;
  }
}

function field(name: string, text: string | null): readonly string[] {
  return text === null ? [] : [`"${name}":${text}`];
}

/** The fields of the metadata that are made of a record's own. */
const OWN = new Set(['level', 'severity_number', 'trace_id', 'span_id', 'scope', 'event_name']);

function recordFields(record: OtlpObject, scope: string | null): Fields {
  const { severityNumber, severityText, traceId, spanId, eventName } = record;
  const severity = numberOf(severityNumber, 'severityNumber');
  const level = textAt(severityText, 'severityText') ?? levelOf(severity);
  const texts: readonly (readonly [string, string | number | null])[] = [
    ['level', level],
    ['severity_number', severity === 0 ? null : severity],
    ['trace_id', textAt(traceId, 'traceId')],
    ['span_id', textAt(spanId, 'spanId')],
    ['scope', scope],
    ['event_name', textAt(eventName, 'eventName')],
  ];
  return new Map(
    texts.flatMap(([name, value]) =>
      value === null ? [] : [[name, [name, JSON.stringify(value)]] as const],
    ),
  );
}

/** The short names of ranges of severity numbers, four each from 1 (opentelemetry.io/docs/specs/otel/logs/data-model). */
const LEVELS = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'];

function levelOf(severity: number): string | null {
  return severity < 1 ? null : (LEVELS[Math.floor((severity - 1) / 4)] ?? null);
}

function numberOf(value: unknown, what: string): number {
  if (value === undefined || value === null) return 0;
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  throw new MalformedJson(`${what} is not a whole number`);
}

function messageOf({ body }: OtlpObject): string | null {
  const text = scalarText(objectAt(body, 'body'), 'body');
  return text === null || text.startsWith('"') ? text : JSON.stringify(text);
}

const NANOS = /^\d{1,20}$/;
const NANOS_PER_MICRO = 1_000n;

/** When it happened, else when it was seen, as JSON text in ISO 8601; 0 stands for unknown. */
function timeOf({ timeUnixNano, observedTimeUnixNano }: OtlpObject): string | null {
  const times = { timeUnixNano, observedTimeUnixNano };
  for (const [name, value] of Object.entries(times)) {
    if (value === undefined || value === null) continue;
    const text = typeof value === 'number' && Number.isInteger(value) ? String(BigInt(value)) : String(value);
    if (!NANOS.test(text)) throw new MalformedJson(`${name} is not a whole number of nanoseconds`);
    if (BigInt(text) > 0n) return JSON.stringify(formatMicros(BigInt(text) / NANOS_PER_MICRO));
  }
  return null;
}
