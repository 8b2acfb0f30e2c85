import { readFileSync } from 'node:fs';

const FOLDER = '../shared/conformance';

/** A column as BigQuery's table schemas write it; a mode that is left out is NULLABLE. */
export interface ColumnSchema {
  readonly name: string;
  readonly type: string;
  readonly mode?: string;
  readonly fields?: readonly ColumnSchema[];
}

/** A query over the CTEs of logs.all with its right answer. */
export interface AnsweredCase {
  readonly id: string;
  readonly sql: string;
  readonly params: Readonly<Record<string, string>>;
  /** Whether the rows come in one order only. */
  readonly ordered: boolean;
  /** Keys such as `count desc` whose order shows where ties leave the rest open. */
  readonly sorted_by?: readonly string[];
  readonly columns: readonly ColumnSchema[];
  /** Cells in the columns' order, in wire types. */
  readonly rows: readonly (readonly unknown[])[];
}

/** A query that GoogleSQL refuses. */
export interface RefusedCase {
  readonly id: string;
  readonly sql: string;
  readonly params: Readonly<Record<string, string>>;
  /** The kind of fault; one that shows only while the query runs begins with `runtime:`. */
  readonly class: string;
  readonly message: string;
}

export const CONFORMANCE_LOGS = `${FOLDER}/data`;
export const CONFORMANCE_SOURCES = `${FOLDER}/sources`;

export const answeredCases = readCases<AnsweredCase>(`${FOLDER}/cases-public.jsonl`);
export const refusedCases = readCases<RefusedCase>(`${FOLDER}/cases-errors.jsonl`);

/**
 * Queries over the same data that Google's reference implementation of GoogleSQL or the BigQuery emulator answered,
 * most of them both, with the rows that they gave.
 */
export const furtherCases = readCases<AnsweredCase>('test/conformance/further-cases.jsonl');

function readCases<Case>(file: string): readonly Case[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Case);
}
