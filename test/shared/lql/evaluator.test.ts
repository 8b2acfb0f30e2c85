import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { answerQuery } from './evaluator/answer.ts';
import { datasetLogs, evaluateCase, hardCases, publicCases } from './evaluator/cases.ts';
import { generateQuery } from './evaluator/generate.ts';
import { generateFault } from './evaluator/generate-faults.ts';
import { LqlFault } from './evaluator/model.ts';
import { readLql } from './evaluator/read.ts';
import { joinClauses, pickBy, renderClauses, renderLql } from './evaluator/render.ts';

const SEED = 20240306;
const logs = datasetLogs();
const picks = fc.array(fc.nat(), { minLength: 60, maxLength: 60 }).map(pickBy);

describe('the evaluator that the service is compared with', () => {
  test.each(publicCases().map((one) => [one.id, one.lql, one] as const))(
    'answers %s of the reference: %s',
    (_id, _lql, one) => expect(evaluateCase(one, logs)).toEqual(one.expect),
  );

  test.each(hardCases().map((one) => [one.id, one.why, one] as const))('answers %s: %s', (_id, _why, one) => {
    expect(evaluateCase(one, logs)).toEqual(one.expect);
  });

  test.each(Object.keys(logs.schemas))('reads back every query over %s that it writes', (source) => {
    fc.assert(
      fc.property(generateQuery(source, logs), picks, (query, pick) => {
        expect(readLql(renderLql(query, pick))).toEqual(query);
      }),
      { numRuns: 1_000, seed: SEED },
    );
  });

  test.each(Object.entries(logs.schemas))('finds the one fault of a query over %s', (source, fields) => {
    const faulty = fc.tuple(generateQuery(source, logs), generateFault(fields), fc.nat(), picks);
    fc.assert(
      fc.property(faulty, ([query, { text, fault }, place, pick]) => {
        const clauses = renderClauses(query, pick);
        const at = place % (clauses.length + 1);
        const lql = joinClauses([...clauses.slice(0, at), text, ...clauses.slice(at)], pick);
        expect(faultOf(lql)).toBe(fault);
      }),
      { numRuns: 1_000, seed: SEED },
    );
  });
});

function faultOf(lql: string): string {
  try {
    answerQuery(readLql(lql), logs, null, 0n);
    return 'none';
  } catch (error) {
    if (error instanceof LqlFault) return error.fault;
    throw error;
  }
}
