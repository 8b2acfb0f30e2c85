import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findFunction, functionNames } from '../../../../../../shared/sql/functions/catalog.ts';
import type {
  ArgumentPattern,
  PatternType,
  Signature,
} from '../../../../../../shared/sql/functions/signature.ts';
import { typeText } from '../../../../../../shared/sql/types/sql-type.ts';
import { isTranslated } from '../../../../../../shared/warehouse/duckdb/translate/functions/translate-call.ts';
import { type Evaluator, openEvaluator } from './support/evaluator.ts';

const SAMPLES: Readonly<Record<string, string>> = {
  BOOL: 'TRUE',
  STRING: "'a'",
  BYTES: "b'a'",
  INT64: '1',
  FLOAT64: '0.5',
  NUMERIC: "NUMERIC '1'",
  BIGNUMERIC: "BIGNUMERIC '1'",
  DATE: "DATE '2024-01-01'",
  DATETIME: "DATETIME '2024-01-01 00:00:00'",
  TIME: "TIME '01:00:00'",
  TIMESTAMP: "TIMESTAMP '2024-01-01 00:00:00+00'",
  INTERVAL: 'INTERVAL 1 DAY',
  JSON: "JSON '1'",
  'ARRAY<STRING>': "['a']",
  'ARRAY<INT64>': '[1]',
  'ARRAY<BYTES>': "[b'a']",
  'ARRAY<FLOAT64>': '[1.5]',
};

/** Functions that GoogleSQL documents to answer something for NULL, or to raise an error. */
const ANSWERING: ReadonlySet<string> = new Set([
  'COALESCE',
  'ERROR',
  'IF',
  'IFNULL',
  'NULLIF',
  'TO_JSON',
  'TYPEOF',
  'JSON_ARRAY',
  'JSON_OBJECT',
  'TO_JSON_STRING',
  'FORMAT',
  'HLL_COUNT.EXTRACT',
  'SEARCH',
]);
/** Arguments for which NULL is as good as none. */
const OPTIONAL_NULLS: ReadonlySet<string> = new Set([
  'ARRAY_TO_STRING[2]',
  'JSON_KEYS[1]',
  ...['JSON_SET', 'JSON_ARRAY_APPEND', 'JSON_ARRAY_INSERT'].flatMap((name) => [`${name}[2]`]),
]);

/** What needs a literal of its own kind in some place. */
const PLACES: readonly (readonly [RegExp, number, string])[] = [
  [/^ROUND$/, 2, "'ROUND_HALF_EVEN'"],
  [/^JSON_ARRAY_INSERT/, 1, "'$[0]'"],
  [/^JSON_REMOVE/, 1, "'$.a'"],
  [/JSON|^LAX_/, 1, "'$'"],
  [/^(?:FORMAT|PARSE)_/, 0, "'%%'"],
  [/^(?:FORMAT|PARSE)_|_TRUNC$/, 2, "'Asia/Tokyo'"],
  [/^(?:DATE|DATETIME|TIME|TIMESTAMP|STRING)$|_TRUNC$/, 1, "'Asia/Tokyo'"],
];

function typeName(pattern: PatternType): string {
  if (pattern.kind === 'type') return typeText(pattern.type);
  return pattern.kind === 'array-of' ? 'ARRAY<INT64>' : 'INT64';
}

/** Values of any type that may be missing all. */
function isAnyNumber(argument: ArgumentPattern | undefined): boolean {
  return argument?.repeated === true && argument.pattern.kind === 'any';
}

/** A call in which the argument at `position` is NULL, but no constant. */
function callWithNull(name: string, signature: Signature, position: number): string {
  const list = signature.arguments.map(({ pattern, name: argumentName }, index) => {
    if (pattern.kind === 'part') return pattern.accepts.at(-1);
    const type = typeName(pattern);
    const place = PLACES.find(([names, at]) => at === index && type === 'STRING' && names.test(name));
    const sample = place?.[2] ?? SAMPLES[type];
    const value = index === position ? `IF(x, ${SAMPLES[type]}, CAST(NULL AS ${type}))` : sample;
    const written = pattern.kind === 'interval' ? `INTERVAL ${value} ${pattern.accepts.at(-1)}` : value;
    return argumentName === null ? written : `${argumentName} => ${written}`;
  });
  const required = signature.arguments.filter(({ optional, repeated }) => !optional && !repeated).length;
  const given = list
    .slice(0, Math.max(position + 1, required))
    .filter((_, index) => !isAnyNumber(signature.arguments[index]));
  return `${name}(${given.join(', ')})`;
}

const CALLS = functionNames()
  .filter((name) => findFunction(name)?.kind === 'scalar' && !ANSWERING.has(name) && isTranslated(name))
  .map((name) => {
    const calls = (findFunction(name)?.signatures ?? []).flatMap((signature) =>
      signature.arguments.flatMap(({ pattern, repeated }, position) =>
        pattern.kind === 'part' ||
        (repeated && pattern.kind === 'any') ||
        OPTIONAL_NULLS.has(`${name}[${position}]`)
          ? []
          : [callWithNull(name, signature, position)],
      ),
    );
    return { name, calls };
  })
  .filter(({ calls }) => calls.length > 0);

describe('A NULL argument', () => {
  let evaluator: Evaluator;
  beforeAll(async () => {
    evaluator = await openEvaluator();
  });
  afterAll(() => evaluator.close());

  /** The answers of a call that are wrong: anything but NULL, unless the call is refused. */
  async function wrongAnswer(call: string): Promise<string | null> {
    const query = `SELECT (${call}) IS NULL FROM UNNEST([FALSE]) x`;
    try {
      const answer = await evaluator.evaluate(query);
      return answer === 'true' ? null : `${call} is not NULL`;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return /not supported by the embedded engine|No matching signature|must be a constant expression|must be a literal or query parameter|must be '/.test(
        message,
      )
        ? null
        : `${call}: ${message}`;
    }
  }

  test.each(CALLS)('makes the answer of $name NULL', async ({ calls }) => {
    const wrong = await Promise.all(calls.map(wrongAnswer));
    expect(wrong.filter((one) => one !== null)).toEqual([]);
  });
});
