import { malformedEntry } from '../errors/refused-entry.ts';
import { arrayElements, type JsonMember, MalformedJson, objectMembers } from '../json/json-parts.ts';
import { skipSpace } from '../json/scan-json.ts';
import type { TableSchema } from '../schema/table-schema.ts';
import { PROJECT_COLUMN } from '../warehouse/stored-dataset.ts';
import { type EntryOwners, entryProject } from './entry-project.ts';
import { timestampOf } from './received-timestamp.ts';

/** What entries are completed with and put into. */
export interface EntryForm extends EntryOwners {
  /** The schema of the source. */
  readonly schema: TableSchema;
  nowMicros(): bigint;
  newId(): string;
}

/**
 * Turns the text of a received entry into the form of log files, by the rules of Logflare's receiver: `message` is the event
 * message, a missing timestamp is the present, a missing id is made, and fields that the table has no column for are put into
 * the metadata. Null is absence. All values keep their text, with every digit of their numbers. An entry without a project is of
 * the only one that it may be of, or of the default one. Throws a ServiceError that names the entry by `index`, its place from 0 in the request:
 * invalid_argument, or permission_denied for another project.
 */
export function entryNormalizer({
  schema,
  projects,
  defaultProject,
  nowMicros,
  newId,
}: EntryForm): (text: string, index: number) => string {
  const columns = new Set(schema.map(({ name }) => name.toLowerCase()));
  const hasMetadata = schema.some(({ name, type }) => name === METADATA && type === 'STRUCT');
  const owners = { projects, defaultProject: columns.has(PROJECT_COLUMN) ? defaultProject : null };
  const isMessage = (name: string) =>
    name === 'message' && columns.has(EVENT_MESSAGE) && !columns.has('message');

  function normalize(text: string, index: number): string {
    const fields: [name: string, value: string][] = [];
    const others: [name: string, value: string][] = [];
    let message: string | null = null;
    let metadata: string | null = null;
    let timestamp: string | null = null;
    let id: string | null = null;
    let project: string | null = null;
    const received = fieldsOf(text, index);
    let isStoredForm = !received.hasNull;
    for (const field of received.fields) {
      const [name, value] = field;
      if (isMessage(name)) {
        message = checkedMessage(value, name, index);
        isStoredForm = false;
      } else if (name === EVENT_MESSAGE && columns.has(name)) {
        message ??= checkedMessage(value, name, index);
      } else if (name === TIMESTAMP) {
        timestamp = timestampOf(value);
        isStoredForm &&= timestamp === value;
      } else if (name === ID && columns.has(name)) id = value;
      else if (name.toLowerCase() === PROJECT_COLUMN && columns.has(PROJECT_COLUMN)) {
        project = value;
        isStoredForm &&= name === PROJECT_COLUMN;
      } else if (name === METADATA && hasMetadata) metadata = value;
      else if (hasMetadata && !columns.has(name.toLowerCase())) others.push(field);
      else fields.push(field);
    }
    const owner = entryProject(project, owners, index);
    const isComplete = timestamp !== null && owner === project && (id !== null || !columns.has(ID));
    if (isStoredForm && isComplete && others.length === 0) return text;
    fields.push([TIMESTAMP, timestamp ?? String(nowMicros())]);
    if (owner !== null) fields.push([PROJECT_COLUMN, owner]);
    if (columns.has(ID)) fields.push([ID, id ?? JSON.stringify(newId())]);
    if (message !== null) fields.push([EVENT_MESSAGE, message]);
    const merged = others.length === 0 ? metadata : withFields(metadata, others, index);
    if (merged !== null) fields.push([METADATA, merged]);
    return objectText(fields);
  }

  return (text, index) => {
    try {
      return normalize(text, index);
    } catch (error) {
      if (!(error instanceof MalformedJson)) throw error;
      throw malformedEntry(index, '', `it is not JSON: ${error.message}`);
    }
  };
}

const ID = 'id';
const TIMESTAMP = 'timestamp';
const EVENT_MESSAGE = 'event_message';
const METADATA = 'metadata';

interface ReceivedFields {
  readonly fields: readonly [name: string, value: string][];
  /** Whether others were left out. */
  readonly hasNull: boolean;
}

/** The fields that are not null, each once, with the texts of their values; `message` comes before `event_message`. */
function fieldsOf(text: string, index: number): ReceivedFields {
  const { members, end } = objectMembers(text, 0);
  if (skipSpace(text, end) < text.length) throw new MalformedJson('something follows the object');
  const names = new Set<string>();
  const fields: [string, string][] = [];
  for (const { name, value } of members) {
    const known = name.toLowerCase();
    if (names.has(known)) {
      throw malformedEntry(
        index,
        name,
        'it is there twice (names of fields are compared without regard to case)',
      );
    }
    names.add(known);
    const valueText = text.slice(value.start, value.end);
    if (valueText === 'null') continue;
    if (name === 'message') fields.unshift([name, valueText]);
    else fields.push([name, valueText]);
  }
  return { fields, hasNull: fields.length < members.length };
}

function checkedMessage(value: string, field: string, index: number): string {
  if (value.startsWith('"')) return value;
  throw malformedEntry(index, field, 'it is not text');
}

/** The text of the metadata with further fields: those of a single record, which is an object or alone in an array. */
function withFields(metadata: string | null, others: readonly [string, string][], index: number): string {
  const record = metadata === null ? '{}' : singleRecord(metadata);
  if (record === null) {
    const [[name] = ['']] = others;
    throw malformedEntry(
      index,
      name,
      'there is no such column, and metadata is not one object that could take it',
    );
  }
  const { members, end } = objectMembers(record, 0);
  if (end < record.length) throw new MalformedJson('something follows the metadata');
  const own = new Map(members.map((member) => [member.name.toLowerCase(), member]));
  const added = others.filter(([name, value]) => {
    const same = own.get(name.toLowerCase());
    if (same !== undefined && textOf(record, same) !== value) {
      throw malformedEntry(
        index,
        name,
        'there is no such column, and metadata has another field of this name',
      );
    }
    return same === undefined;
  });
  const all = [...members.map((member) => [member.name, textOf(record, member)] as const), ...added];
  return objectText(all);
}

function objectText(fields: readonly (readonly [name: string, value: string])[]): string {
  return `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}

function textOf(text: string, { value }: JsonMember): string {
  return text.slice(value.start, value.end);
}

/** The text of the object that metadata is, or has as its only element; null for anything else. */
function singleRecord(metadata: string): string | null {
  if (metadata.startsWith('{')) return metadata;
  if (!metadata.startsWith('[')) return null;
  const { elements } = arrayElements(metadata, 0);
  const [first] = elements;
  if (first === undefined) return '{}';
  return elements.length === 1 && metadata[first.start] === '{'
    ? metadata.slice(first.start, first.end)
    : null;
}
