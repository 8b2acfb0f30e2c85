import { ServiceError } from '../errors/service-error.ts';
import { positionAt } from '../sql/text/sql-error.ts';

/** What is wrong with a query in LQL, in the order in which it is looked for (docs/lql.md, "Errors"). */
export type LqlFault = 'syntax' | 'unsupported' | 'unknown_source' | 'unknown_field' | 'type';

/** Most characters of a query's own text that a message repeats. */
const MOST_QUOTED = 80;

/** A 400 about the LQL text at `offset`: the message ends with the place, details carry it and the fault. */
export function lqlError(text: string, offset: number, reason: LqlFault, message: string): ServiceError {
  const { line, column } = positionAt(text, offset);
  return new ServiceError('invalid_argument', `${message} (line ${line}, column ${column})`, {
    details: [{ parameter: 'lql', line, column, reason }],
  });
}

/** The characters from the start up to `offset`, counted from 1, as `position N` in messages. */
export function characterAt(text: string, offset: number): number {
  return [...text.slice(0, offset)].length + 1;
}

/** A part of a query in quotes for a message; one that is long is cut, one of several lines is shown as one. */
export function quoteText(part: string): string {
  const characters = [...part.replace(/\s+/g, ' ')];
  const shown = characters.length <= MOST_QUOTED ? characters : [...characters.slice(0, MOST_QUOTED), '…'];
  return `'${shown.join('')}'`;
}
