import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { checkRe2 } from '../../../../../../shared/re2/check-re2.ts';
import { anyRegexp, anyRegexpOfWords, anyText, anyTextOfWords } from './support/any-regexp.ts';
import { type Evaluator, openEvaluator } from './support/evaluator.ts';

const SEED = 20240306;
const texts = fc.array(anyText, { minLength: 6, maxLength: 10 });
/** GoogleSQL reads JSON's strings as JSON does. */
const literal = JSON.stringify;

/** What re2js says of each text. */
function answers<T>(
  pattern: string,
  subjects: readonly string[],
  answer: (match: RE2JS, subject: string) => T,
) {
  const regexp = RE2JS.compile(pattern);
  return subjects.map((subject) => answer(regexp, subject));
}

function found(regexp: RE2JS, subject: string): boolean {
  return regexp.matcher(subject).find();
}

/** The first match's group, or all of it where there is none. */
function extracted(regexp: RE2JS, subject: string): string | null {
  const matcher = regexp.matcher(subject);
  return matcher.find() ? matcher.group(regexp.groupCount()) : null;
}

/**
 * The place of the first match, or of its group, in characters, from 1. GoogleSQL finds an empty pattern nowhere, nothing in empty text,
 * and an empty match one character later.
 */
function place(regexp: RE2JS, subject: string): number {
  const matcher = regexp.matcher(subject);
  if (regexp.pattern() === '' || subject === '' || !matcher.find()) return 0;
  if (regexp.groupCount() > 0) return matcher.start(1) + 1;
  const isBeforeEnd = matcher.start() === matcher.end() && matcher.end() < subject.length;
  return matcher.start() + (isBeforeEnd ? 2 : 1);
}

describe('a regular expression on DuckDB finds what RE2 finds', () => {
  let evaluator: Evaluator;
  beforeAll(async () => {
    evaluator = await openEvaluator();
  });
  afterAll(() => evaluator.close());

  /** A function of `x` for each of the texts, or null where DuckDB has no exact answer. */
  const evaluate = async (call: string, subjects: readonly string[], pattern?: string): Promise<unknown> => {
    const from = `UNNEST([${subjects.map((subject) => literal(subject)).join(', ')}]) AS x WITH OFFSET AS i`;
    const parameters = new Map(pattern === undefined ? [] : [['p', pattern]]);
    try {
      return JSON.parse(
        await evaluator.evaluate(
          `SELECT ARRAY_AGG(TO_JSON_STRING(v) ORDER BY i) FROM (SELECT i, ${call} AS v FROM ${from})`,
          parameters,
        ),
        (_, value: unknown) => (typeof value === 'string' ? JSON.parse(value) : value),
      );
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('not supported')) return null;
      throw error;
    }
  };

  /** Valid expressions with texts, `runs` of them. */
  const each = (runs: number, check: (pattern: string, subjects: readonly string[]) => Promise<void>) =>
    fc.assert(
      fc.asyncProperty(anyRegexp, texts, async (pattern, subjects) => {
        fc.pre(checkRe2(pattern).kind === 'valid');
        // RE2 sees \B between the bytes of a character, which re2js does not.
        const isAscii = pattern.includes('\\B');
        await check(
          pattern,
          subjects.map((text) => (isAscii ? text.replaceAll('é', 'e') : text)),
        );
      }),
      { numRuns: runs, seed: SEED },
    );

  test('as a literal', () =>
    each(250, async (pattern, subjects) => {
      const call = `REGEXP_CONTAINS(x, ${literal(pattern)})`;
      expect(await evaluate(call, subjects)).toEqual(answers(pattern, subjects, found));
    }));

  test('as a parameter', () =>
    each(250, async (pattern, subjects) => {
      const checked = checkRe2(pattern);
      const portable = checked.kind === 'valid' ? checked.portable : '';
      expect(await evaluate('REGEXP_CONTAINS(x, @p)', subjects, portable)).toEqual(
        answers(pattern, subjects, found),
      );
    }));

  // A literal's words are looked for first, those of a parameter are not.
  test.each<[string, (pattern: string) => string, boolean]>([
    ['REGEXP_CONTAINS', (pattern) => `REGEXP_CONTAINS(x, ${pattern})`, false],
    ['NOT REGEXP_CONTAINS', (pattern) => `NOT REGEXP_CONTAINS(NULLIF(x, ''), ${pattern})`, false],
    ['REGEXP_EXTRACT', (pattern) => `REGEXP_EXTRACT(x, ${pattern})`, true],
    ['REGEXP_INSTR', (pattern) => `REGEXP_INSTR(x, ${pattern})`, true],
  ])('in %s, as a literal and as a parameter', (_, call, isOfGroup) =>
    fc.assert(
      fc.asyncProperty(
        anyRegexpOfWords,
        fc.array(anyTextOfWords, { minLength: 8, maxLength: 12 }),
        async (pattern, subjects) => {
          const checked = checkRe2(pattern);
          fc.pre(checked.kind === 'valid' && !(isOfGroup && RE2JS.compile(pattern).groupCount() > 1));
          const portable = checked.kind === 'valid' ? checked.portable : '';
          const found = await evaluate(call(literal(pattern)), subjects);
          expect(found).toEqual(await evaluate(call('@p'), subjects, portable));
        },
      ),
      { numRuns: 100, seed: SEED },
    ),
  );

  test('as a value of each row, without an end to \\Q', () =>
    each(100, async (pattern, subjects) => {
      fc.pre(!pattern.includes('(?<'));
      const call = `(SELECT REGEXP_CONTAINS(x, p) FROM UNNEST([${literal(pattern)}, 'a']) AS p WITH OFFSET AS o WHERE o = 0)`;
      expect(await evaluate(call, subjects)).toEqual(answers(pattern, subjects, found));
    }));

  test('in REGEXP_EXTRACT and REGEXP_INSTR', () =>
    each(150, async (pattern, subjects) => {
      fc.pre(RE2JS.compile(pattern).groupCount() < 2);
      const text = literal(pattern);
      const texts = await evaluate(`REGEXP_EXTRACT(x, ${text})`, subjects);
      if (texts !== null) expect(texts).toEqual(answers(pattern, subjects, extracted));
      const places = await evaluate(`REGEXP_INSTR(x, ${text})`, subjects);
      if (places !== null) expect(places).toEqual(answers(pattern, subjects, place));
    }));
});
