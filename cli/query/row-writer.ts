import type { TextFormat } from '../../client/client.d.ts';
import { parseExactly } from '../../shared/warehouse/duckdb/loading/number-text.ts';
import type { Colours } from '../terminal/colour.ts';
import { type Row, rowsTable } from '../terminal/rows-table.ts';

/** Writes the rows of an answer's pages. */
export interface RowWriter {
  /** The format to ask the service for: its text keeps every digit as it is. */
  readonly asks: TextFormat;
  /** What can be printed when a page has come. */
  page(text: string): string;
  /** What is printed after the last page. */
  end(): string;
}

export interface RowWriterOptions {
  readonly format: 'table' | 'json' | 'ndjson' | 'csv';
  /** Of a line of the terminal; null where there is none. */
  readonly width: number | null;
  readonly colours: Colours;
}

/** NDJSON and CSV are printed as they come; a table and one JSON document when all is there. */
export function makeRowWriter({ format, width, colours }: RowWriterOptions): RowWriter {
  switch (format) {
    case 'ndjson':
      return { asks: 'ndjson', page: (text) => text, end: () => '' };
    case 'csv': {
      let pages = 0;
      return {
        asks: 'csv',
        page: (text) => {
          pages += 1;
          return pages === 1 ? text : withoutHeader(text);
        },
        end: () => '',
      };
    }
    case 'json':
      return gathering((lines) => `{"result":[${lines.join(',')}]}\n`);
    case 'table':
      return gathering((lines) => {
        const rows = lines.map((line) => parseExactly(line) as Row);
        return rowsTable(rows, { width, colours });
      });
    default: {
      const unreachable: never = format;
      throw new TypeError(`format ${unreachable}`);
    }
  }
}

function gathering(write: (lines: readonly string[]) => string): RowWriter {
  const lines: string[] = [];
  return {
    asks: 'ndjson',
    page: (text) => {
      for (const line of text.split('\n')) if (line !== '') lines.push(line);
      return '';
    },
    end: () => write(lines),
  };
}

/** CSV (RFC 4180) without its first record, which may hold line breaks in quotes. */
export function withoutHeader(text: string): string {
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (text[at] === '\n' && !isQuoted) return text.slice(at + 1);
  }
  return '';
}
