import { ServiceError } from '../../errors/service-error.ts';

/** A place in a query's text, both counted from 1; columns count characters, not UTF-16 units. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Where the character at `offset` stands. A line ends at LF, CR LF or CR. */
export function positionAt(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  const last = before[before.length - 1] ?? '';
  return { line: before.length, column: [...last].length + 1 };
}

/** A 400 about the query text at `offset`; the message ends with the place, details carry it. */
export function sqlError(text: string, offset: number, message: string): ServiceError {
  const position = positionAt(text, offset);
  return new ServiceError(
    'invalid_argument',
    `${message} (line ${position.line}, column ${position.column})`,
    {
      details: [position],
    },
  );
}
