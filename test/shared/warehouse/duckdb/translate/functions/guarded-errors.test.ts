import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  findFunction,
  functionNames,
  operatorNames,
} from '../../../../../../shared/sql/functions/catalog.ts';
import type { PatternType, Signature } from '../../../../../../shared/sql/functions/signature.ts';
import { toServiceError } from '../../../../../../shared/warehouse/duckdb/duckdb-errors.ts';
import { isTranslated } from '../../../../../../shared/warehouse/duckdb/translate/functions/translate-call.ts';
import { typesOf } from '../../../../../scaling/support/values.ts';
import { writeCall } from '../../../../../scaling/support/write-call.ts';
import { EDGE_VALUES } from './support/edge-values.ts';
import { type Evaluator, openEvaluator } from './support/evaluator.ts';

/** Calls of one signature with so many combinations of edge values. */
const COMBINATIONS = 6;

/** What may stand for an argument: no constant, so that nothing is computed while the query is planned. */
function argumentsOf(pattern: PatternType): readonly string[] {
  if (pattern.kind === 'part') return pattern.accepts.slice(-1);
  const [type = ''] = pattern.kind === 'interval' ? ['INT64'] : typesOf(pattern);
  const values = (EDGE_VALUES[type] ?? []).map((value) => `IF(x, ${value}, ${value})`);
  if (pattern.kind !== 'interval') return values;
  return values.map((value) => `INTERVAL ${value} ${pattern.accepts.at(-1)}`);
}

/** Calls in which each argument takes each of its values, all of them different from call to call. */
function callsOf(name: string, signature: Signature): readonly string[] {
  const lists = signature.arguments.map(({ pattern }) => argumentsOf(pattern));
  return Array.from({ length: COMBINATIONS }, (_, turn) =>
    writeCall(
      name,
      signature,
      lists.map((list, index) => list[(turn * (index + 1) + index) % list.length] ?? 'NULL'),
    ),
  );
}

const CALLS = [...functionNames(), ...operatorNames()]
  .filter((name) => findFunction(name)?.kind === 'scalar' && isTranslated(name))
  .map((name) => ({
    name,
    calls: (findFunction(name)?.signatures ?? []).flatMap((signature) => callsOf(name, signature)),
  }));

describe('An error after FALSE AND', () => {
  let evaluator: Evaluator;
  beforeAll(async () => {
    evaluator = await openEvaluator();
  });
  afterAll(() => evaluator.close());

  /** What is wrong with a call that is not to be computed: nothing if its query is refused before it runs. */
  async function wrongAnswer(call: string): Promise<string | null> {
    try {
      const answer = await evaluator.evaluate(`SELECT x AND (${call}) IS NULL FROM UNNEST([FALSE]) x`);
      return answer === 'false' ? null : `${call} is ${answer}`;
    } catch (error) {
      if (error instanceof Error && 'kind' in error) return null;
      const { message } = toServiceError(error);
      return /overflow/.test(message) ? null : `${call}: ${message}`;
    }
  }

  test.each(CALLS)('is not raised by $name', async ({ calls }) => {
    const wrong: string[] = [];
    for (const call of calls) wrong.push(...[await wrongAnswer(call)].filter((one) => one !== null));
    expect(wrong).toEqual([]);
  });
});
