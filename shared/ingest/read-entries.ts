import { malformedEntry } from '../errors/refused-entry.ts';
import { ServiceError } from '../errors/service-error.ts';
import { arrayElements, MalformedJson, objectMembers } from '../json/json-parts.ts';
import { skipSpace } from '../json/scan-json.ts';
import { isOtlpRequest, otlpEntries } from './otlp/otlp-entries.ts';

/** What one request may bring. */
export interface EntryLimits {
  readonly maxEntries: number;
  /** Most characters of one entry's text. */
  readonly maxEntryLength: number;
  /** Most characters of all entries, where they become longer than the body: each has what is said once of their resource. */
  readonly maxTotalLength: number;
}

export const ENTRY_LIMITS: EntryLimits = {
  maxEntries: 50_000,
  maxEntryLength: 1024 * 1024,
  maxTotalLength: 64 * 1024 * 1024,
};

const FORMS =
  'a JSON array of objects, an object with such an array under "batch", one object, or one object a line';

/**
 * The texts of the entries in a body: a JSON array, an object whose `batch` is one, a single object, or an object a line
 * (NDJSON). An object in the form of OTLP stands for its log records; what is in other entries is not looked at. Throws a
 * ServiceError: invalid_argument, or body_too_large above the limits.
 */
export function readEntries(body: string, limits: EntryLimits = ENTRY_LIMITS): readonly string[] {
  const start = skipSpace(body, body.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0);
  const objects = body[start] === '[' ? elementsOf(body, start) : objectsOf(body, start);
  const texts = objects.some(isOtlpRequest) ? recordsOf(objects, limits) : objects;
  if (texts.length > limits.maxEntries) throw tooMany(limits);
  for (const [index, text] of texts.entries()) {
    if (text.length > limits.maxEntryLength) throw tooLong(index, limits);
    if (text[0] !== '{') throw malformedEntry(index, '', 'it is not an object');
  }
  return texts;
}

function addRecords(object: string, first: number, add: (text: string) => void): void {
  try {
    for (const text of otlpEntries(object, first)) add(text);
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error;
    throw new ServiceError(
      'invalid_argument',
      `The body has "resourceLogs", and is not the JSON in which OTLP sends log records: ${error.message}. No entry was taken.`,
      { details: [{ reason: error.message }] },
    );
  }
}

const BYTE_ORDER_MARK = 0xfeff;

function recordsOf(objects: readonly string[], limits: EntryLimits): readonly string[] {
  const texts: string[] = [];
  let length = 0;
  const add = (text: string) => {
    texts.push(text);
    length += text.length;
    if (texts.length > limits.maxEntries) throw tooMany(limits);
    if (length > limits.maxTotalLength) throw tooLongInAll(limits);
  };
  for (const object of objects) {
    if (isOtlpRequest(object)) addRecords(object, texts.length, add);
    else add(object);
  }
  return texts;
}

/** All of the array, after which nothing may follow. */
function elementsOf(body: string, start: number): readonly string[] {
  const { elements, end } = wholeOr(() => arrayElements(body, start));
  if (skipSpace(body, end) < body.length) throw malformedBody('something follows the array');
  return elements.map((element) => body.slice(element.start, element.end));
}

function objectsOf(body: string, start: number): readonly string[] {
  if (body[start] !== '{') throw malformedBody(start >= body.length ? 'it is empty' : 'it is something else');
  const first = firstObject(body, start);
  // An object that does not end, or after which another begins, is a line of several.
  if (first === null || skipSpace(body, first.end) < body.length) return linesOf(body);
  const batches = first.members.filter(({ name }) => name === 'batch');
  const [batch] = batches;
  if (batch === undefined) return [body.slice(start, first.end)];
  if (batches.length > 1) throw malformedBody('"batch" is there twice', 'batch');
  if (body[batch.value.start] !== '[') {
    throw malformedBody(
      '"batch" is not an array; an entry that has a field of this name has to stand in an array',
      'batch',
    );
  }
  const { elements } = wholeOr(() => arrayElements(body, batch.value.start));
  return elements.map((element) => body.slice(element.start, element.end));
}

function firstObject(body: string, start: number): ReturnType<typeof objectMembers> | null {
  try {
    return objectMembers(body, start);
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error;
    // With one line, what is wrong with it is wrong with the body.
    if (!body.trim().includes('\n')) throw malformedBody(error.message);
    return null;
  }
}

function linesOf(body: string): readonly string[] {
  return body
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function wholeOr<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof MalformedJson ? malformedBody(error.message) : error;
  }
}

function malformedBody(reason: string, field?: string): ServiceError {
  return new ServiceError('invalid_argument', `The body has to be ${FORMS}: ${reason}.`, {
    details: [{ ...(field === undefined ? {} : { field }), reason }],
  });
}

function tooMany({ maxEntries }: EntryLimits): ServiceError {
  return new ServiceError(
    'body_too_large',
    `The body has more than ${maxEntries} entries; send fewer at once.`,
  );
}

function tooLongInAll({ maxTotalLength }: EntryLimits): ServiceError {
  return new ServiceError(
    'body_too_large',
    `The log records have more than ${maxTotalLength} characters, each with the attributes of its resource; send fewer at once.`,
  );
}

function tooLong(entry: number, { maxEntryLength }: EntryLimits): ServiceError {
  return new ServiceError(
    'body_too_large',
    `Entry ${entry} is longer than ${maxEntryLength} characters; shorten it. No entry was taken.`,
    { details: [{ entry }] },
  );
}
