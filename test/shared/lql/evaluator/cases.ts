import { readFileSync } from 'node:fs';
import { answerQuery, type Logs, type LqlAnswer } from './answer.ts';
import { datasetLines, readEvents, type Value } from './events.ts';
import { isoOf } from './iso.ts';
import { LqlFault } from './model.ts';
import { readLql } from './read.ts';
import { SCHEMAS } from './schema.ts';

/** A query with its answer. Exactly one of `ids`, `rows` and `error` is there. */
export interface LqlCase {
  readonly id: string;
  readonly lql: string;
  /** The source that is read when the query names none; null where there are several. */
  readonly source: string | null;
  readonly now: string;
  readonly expect: {
    readonly ids?: readonly string[];
    /** Timestamps are ISO in UTC with six digits behind the second. */
    readonly rows?: readonly Readonly<Record<string, unknown>>[];
    readonly error?: string;
  };
  readonly why: string;
}

/** The cases of the reference. */
export function publicCases(): readonly LqlCase[] {
  return readCases('../shared/reference/lql-cases.jsonl');
}

/** Further cases, each of which hangs on one sentence of the reference. */
export function hardCases(): readonly LqlCase[] {
  return readCases('test/shared/lql/evaluator/hard-cases.jsonl');
}

function readCases(file: string): readonly LqlCase[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as LqlCase);
}

/** The data set as the evaluator reads it. */
export function datasetLogs(): Logs {
  const lines = Object.entries(datasetLines());
  return {
    schemas: SCHEMAS,
    events: Object.fromEntries(lines.map(([source, texts]) => [source, readEvents(texts)])),
  };
}

/** What the evaluator says to a case, in the form in which the case expects it. */
export function evaluateCase(one: LqlCase, logs: Logs): LqlCase['expect'] {
  const nowMicros = BigInt(Date.parse(one.now)) * 1000n;
  let answer: LqlAnswer;
  try {
    answer = answerQuery(readLql(one.lql), logs, one.source, nowMicros);
  } catch (error) {
    if (error instanceof LqlFault) return { error: error.fault };
    throw error;
  }
  const rows = answer.groups.flat().slice(0, answer.limit);
  const id = answer.columns.findIndex(({ name }) => name === 'id');
  if (one.expect.rows === undefined) return { ids: rows.map((row) => String(row[id])) };
  const named = rows.map((row) =>
    answer.columns.map(({ name, field }, index) => {
      const value = row[index] ?? null;
      const isTime = field.kind === 'scalar' && field.type === 'TIMESTAMP';
      return [name, isTime ? isoOf(value as bigint) : plain(value)] as const;
    }),
  );
  return { rows: named.map((entries) => Object.fromEntries(entries)) };
}

function plain(value: Value): unknown {
  if (typeof value !== 'bigint') return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}
