import type { ErrorDetail } from '../../client/client.d.ts';
import type { QueryError } from '../../client/client.js';
import { escapeUnprintable } from '../../shared/runtime/printable.ts';
import type { Command } from '../commands/command.ts';
import type { Colours } from '../terminal/colour.ts';
import { withOptions } from './parameter-options.ts';

const EXIT_REFUSED = 1;
const EXIT_TRY_AGAIN = 3;

/** Codes of failures that trying again may mend; 0 stands for no answer at all. */
const TRY_AGAIN = [0, 429, 502, 503, 504];

/** Why a query is refused with 429 however often it is asked: it would bill more than it may. */
const TOO_MANY_BYTES = 'too_many_bytes';

/** Most characters of a line of the query that are shown, and how many of them come before the place. */
const MAX_SHOWN = 100;
const BEFORE_PLACE = 60;

/** Whether trying the same again may help. */
export function isRetryable({ code, details }: QueryError): boolean {
  return TRY_AGAIN.includes(code) && !details.some(({ reason }) => reason === TOO_MANY_BYTES);
}

/** The exit code of a command that ends with this failure. */
export function exitCodeOf(error: QueryError): number {
  return isRetryable(error) ? EXIT_TRY_AGAIN : EXIT_REFUSED;
}

/** What the message of a failure depends on. */
export interface FailureContext {
  /** The command that failed: parameters are called by its options. */
  readonly command: Command;
  /** The SQL or LQL that was sent; null where none was. */
  readonly query: string | null;
  readonly colours: Colours;
}

/** A failure in words for a person: what the service says, the place in the query, what to do next. */
export function failureText(
  error: QueryError,
  { command, query, colours: { red, dim } }: FailureContext,
): string {
  const { code, details, message, requestId, retryAfterSeconds } = error;
  const lines = [red(escapeUnprintable(withOptions(message, details, command)))];
  const place = details.find(({ line, column }) => line !== undefined && column !== undefined);
  if (query !== null && place !== undefined) lines.push(...marked(query, place, red));
  if (retryAfterSeconds !== null) lines.push(`Try again in ${retryAfterSeconds} s.`);
  if (code >= 500 && requestId !== null) lines.push(dim(`Request id: ${escapeUnprintable(requestId)}`));
  return `${lines.join('\n')}\n`;
}

/** The line of the query that the error is about, with the word at the place underlined. */
function marked(
  query: string,
  { line = 1, column = 1 }: ErrorDetail,
  red: (text: string) => string,
): string[] {
  const text = query.split(/\r\n|\r|\n/)[line - 1];
  if (text === undefined) return [];
  // One cell for each character, so that the mark stands under the place: columns count code points.
  const characters = [...text].map((one) => (escapeUnprintable(one) === one ? one : ' '));
  const at = Math.min(column - 1, characters.length);
  const first = at > MAX_SHOWN - 10 ? at - BEFORE_PLACE : 0;
  const shown = characters.slice(first, first + MAX_SHOWN);
  const word = /^[\p{L}\p{N}_$@.]+/u.exec(characters.slice(at).join(''))?.[0] ?? ' ';
  const width = Math.max(1, Math.min([...word].length, first + MAX_SHOWN - at));
  const label = String(line);
  const prefix = first === 0 ? '' : '…';
  const suffix = first + MAX_SHOWN < characters.length ? '…' : '';
  return [
    `  ${label} | ${prefix}${shown.join('')}${suffix}`,
    `  ${' '.repeat(label.length)} | ${' '.repeat(prefix.length + at - first)}${red('^'.repeat(width))}`,
  ];
}
