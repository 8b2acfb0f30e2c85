import { didYouMean } from '../sql/text/nearest-names.ts';
import { parseIsoTimestamp } from '../time/iso-timestamp.ts';
import { SAVED_LIMITS, type SavedQuery, type SavedWindow } from './saved-query.ts';

/** A file of the folder. */
export interface SavedFile {
  /** Its name with the extension, `.sql` or `.lql`. */
  readonly file: string;
  readonly text: string;
}

/** A query as its file says it; the endpoint is null where the file names none. */
export interface ParsedSavedQuery extends Omit<SavedQuery, 'endpoint'> {
  readonly endpoint: string | null;
  /** The query on the lines that it has in the file, so that errors in it name those. */
  readonly inPlace: string;
}

const KEYS = ['description', 'endpoint', 'window'] as const;
type Key = (typeof KEYS)[number];
type Header = Partial<Record<Key, string>>;

const HEADER_LINE = /^--[ \t]*([a-z]+):(.*)$/;
const COMMENT_LINE = /^--/;
const SPAN = /^[1-9]\d{0,5}[smhd]$/;
const INSTANTS = /^(\S+)\/(\S+)$/;
// Names stand in a list; what is not visible, or turns the direction of text, does not belong there.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/u;
const WINDOW_FORMS =
  'a number and s, m, h or d, such as 24h; all; or two times in ISO 8601, such as 2026-01-31T12:00:00Z/2026-01-31T13:00:00Z';

/**
 * Reads a file: its header, which is the comment lines `-- key: value` at its top, and its query, which is all the rest.
 * Other comments at the top belong to the query in SQL; LQL has none, so there they are left out. Answers the faults
 * where there are any, in words that follow the file's name.
 */
export function parseSavedQuery({
  file,
  text,
}: SavedFile): ParsedSavedQuery | { readonly faults: readonly string[] } {
  const language = file.endsWith('.lql') ? 'lql' : 'sql';
  const name = file.slice(0, -'.sql'.length);
  const { header, query, inPlace, faults: headerFaults } = readHeader(text.replace(/^\uFEFF/, ''), language);
  const window = header.window === undefined ? null : readWindow(header.window);
  const { description = '' } = header;
  const faults = [
    ...nameFaults(name),
    ...headerFaults,
    ...(window === undefined ? [`window: is ${quoted(header.window ?? '')}; it takes ${WINDOW_FORMS}`] : []),
    ...([...description].length > SAVED_LIMITS.descriptionCharacters
      ? [`description: has more than ${SAVED_LIMITS.descriptionCharacters} characters`]
      : []),
    ...(query === '' ? ['there is no query after the header'] : []),
  ];
  if (faults.length > 0 || window === undefined) return { faults };
  return { name, language, query, inPlace, description, endpoint: header.endpoint ?? null, window };
}

function nameFaults(name: string): readonly string[] {
  if ([...name].length > SAVED_LIMITS.nameCharacters) {
    return [`the file's name has more than ${SAVED_LIMITS.nameCharacters} characters`];
  }
  return UNPRINTABLE.test(name) ? ["the file's name has characters that cannot be seen"] : [];
}

function readHeader(
  content: string,
  language: SavedQuery['language'],
): {
  readonly header: Header;
  readonly query: string;
  readonly inPlace: string;
  readonly faults: readonly string[];
} {
  const lines = content.split(/\r?\n/);
  const end = lines.findIndex((line) => line.trim() !== '' && !COMMENT_LINE.test(line));
  const top = end === -1 ? lines : lines.slice(0, end);
  const header: Header = {};
  const faults: string[] = [];
  const kept: string[] = [];
  for (const line of top) {
    const [, key, text = ''] = HEADER_LINE.exec(line) ?? [];
    const value = text.trim();
    if (key === undefined) kept.push(line);
    else if (!isKey(key)) {
      faults.push(
        `the header has the unknown key ${quoted(key)}${didYouMean(key, KEYS) || `; the keys are ${KEYS.join(', ')}`}`,
      );
    } else if (header[key] !== undefined) faults.push(`${key}: is given twice; give it once`);
    else if (value === '') faults.push(`${key}: is empty; write a value, or leave the line out`);
    else header[key] = value;
  }
  const rest = end === -1 ? [] : lines.slice(end);
  const comments = language === 'sql' && rest.length > 0 ? kept : [];
  const blank = top.map((line) => (language === 'sql' ? line : ''));
  return {
    header,
    query: [...comments, ...rest].join('\n').trim(),
    inPlace: [...blank, ...rest].join('\n'),
    faults,
  };
}

function isKey(key: string): key is Key {
  return KEYS.some((one) => one === key);
}

/** Undefined for what is no window. */
function readWindow(text: string): SavedWindow | undefined {
  if (text === 'all' || SPAN.test(text)) return { last: text };
  const [, from = '', to = ''] = INSTANTS.exec(text) ?? [];
  const [start, end] = [isoMillis(from), isoMillis(to)];
  // The explorer knows no time before the epoch.
  if (start === null || end === null || start < 0 || start >= end) return undefined;
  return { from: new Date(start).toISOString(), to: new Date(end).toISOString() };
}

function isoMillis(text: string): number | null {
  const parsed = parseIsoTimestamp(text);
  return 'micros' in parsed ? Number(parsed.micros / 1000n) : null;
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
