import { createHash } from 'node:crypto';
import { MalformedJson, objectMembers } from '../../../json/json-parts.ts';
import { skipSpace } from '../../../json/scan-json.ts';
import type { TableSchema } from '../../../schema/table-schema.ts';

/** Where a line is: in which content, and its number from 1. */
export interface LinePlace {
  readonly content: string;
  readonly line: number;
}

/** The id comes first, and is a text: most entries that have one are written like that. */
const ID_FIRST = /^\s*\{\s*"id"\s*:\s*"/;

/**
 * The text of an entry with an id; null for a text that is not an object. One that has none gets the same each time that its line is read: a UUID (version 8,
 * RFC 9562) of the content, the number and the text of the line. So a line that is read again after a crash, or in a copy of the
 * file, is an entry that is known.
 */
export function withId(text: string, place: LinePlace): string | null {
  if (ID_FIRST.test(text)) return text;
  const start = skipSpace(text, 0);
  const object = text[start] === '{' ? membersOf(text, start) : null;
  if (object === null) return null;
  const { members, end } = object;
  const others = members.filter(({ name }) => name.toLowerCase() !== 'id');
  const given = members.filter((member) => !others.includes(member));
  // What follows the object, and an id that is there twice, is refused where entries are checked.
  const isNull = given.every(({ value }) => text.slice(value.start, value.end) === 'null');
  if (!isNull || given.length > 1 || skipSpace(text, end) < text.length) return text;
  const id = `{"id":"${idOf(text, place)}"`;
  if (given.length === 0) return members.length === 0 ? `${id}}` : `${id},${text.slice(start + 1, end)}`;
  const fields = others.map(
    ({ name, value }) => `,${JSON.stringify(name)}:${text.slice(value.start, value.end)}`,
  );
  return `${id}${fields.join('')}}`;
}

function membersOf(text: string, start: number): ReturnType<typeof objectMembers> | null {
  try {
    return objectMembers(text, start);
  } catch (error) {
    if (error instanceof MalformedJson) return null;
    throw error;
  }
}

/** Whether the entries of a source have ids by which one that was stored is known. */
export function hasIds(schema: TableSchema): boolean {
  return schema.some(({ name, type, mode }) => name === 'id' && type === 'STRING' && mode !== 'REPEATED');
}

function idOf(text: string, { content, line }: LinePlace): string {
  const digest = createHash('sha256').update(`${content} ${line} ${text}`).digest('hex');
  const variant = ((Number.parseInt(digest[16] ?? '0', 16) & 0x3) | 0x8).toString(16);
  const parts = [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`];
  return [...parts, `${variant}${digest.slice(17, 20)}`, digest.slice(20, 32)].join('-');
}
