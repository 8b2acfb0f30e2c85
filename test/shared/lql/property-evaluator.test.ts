import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { RealService } from '../../data/support/real-service.ts';
import { answerQuery, type Logs, type LqlAnswer } from './evaluator/answer.ts';
import { datasetLogs, hardCases, type LqlCase } from './evaluator/cases.ts';
import { expectedOf, receivedOf } from './evaluator/compare.ts';
import { datasetLines, readEvents } from './evaluator/events.ts';
import { generateQuery } from './evaluator/generate.ts';
import { generateFault } from './evaluator/generate-faults.ts';
import { generateNow } from './evaluator/generate-time.ts';
import { MADE_SCHEMA, madeLines } from './evaluator/made-logs.ts';
import { LqlFault } from './evaluator/model.ts';
import { readLql } from './evaluator/read.ts';
import { joinClauses, pickBy, renderClauses } from './evaluator/render.ts';
import { askLql, PROJECT, startWithLines } from './evaluator/service.ts';

const SEED = 20240306;
const QUERIES_PER_SOURCE = 120;
const FAULTY_QUERIES_PER_SOURCE = 40;
const TEXTS = 500;
const NOW = BigInt(Date.parse('2024-03-06T14:35:20Z')) * 1000n;
const MADE = 'pgbouncer_logs';

const made = madeLines(PROJECT);
const dataset = datasetLogs();
const logs: Logs = {
  schemas: { ...dataset.schemas, [MADE]: MADE_SCHEMA },
  events: { ...dataset.events, [MADE]: readEvents(made) },
};
const picks = fc.array(fc.nat(), { minLength: 60, maxLength: 60 });

/** Pieces of queries that make some sense in many orders. */
const PIECES = [
  ...[
    'm.',
    'metadata.',
    'level',
    'status',
    'duration',
    'metering',
    'args',
    'timestamp',
    'event_message',
    'id',
    'nope',
  ],
  ...[
    'auth_event',
    '.action',
    '.traits.',
    ':',
    ':>',
    ':>=',
    ':<',
    ':~',
    ':@>',
    ':@>~',
    '..',
    '"',
    '"',
    '"a b"',
    '(',
    ')',
  ],
  ...[
    'x',
    '5',
    '0',
    '1.5',
    '.5',
    '-',
    '~',
    '~"',
    'NULL',
    'true',
    'GET',
    'info',
    'info..error',
    '%',
    '/',
    ',',
    "'",
    '`',
    '|',
  ],
  ...[
    't:',
    't:last@',
    '1d',
    'mm',
    'this@',
    'week',
    'today',
    'now',
    '2024-02-29',
    'T10:00:00',
    'Z',
    '+01:00',
    '1709735720',
  ],
  ...[
    '{',
    '}',
    '{01..02}',
    'f:',
    's:',
    's:id',
    '@',
    '*',
    'c:',
    'c:count(*)',
    'avg(m.duration)',
    'group_by(t::',
    'hour)',
  ],
  ...[' ', ' ', ' ', ' ', '  ', '\t', '\n', '\\', '\\"', '\\\\', 'é', '\u00A0', '\u2028', '\u{1F600}'],
];

let running: RealService;
beforeAll(async () => {
  running = await startWithLines({ ...datasetLines(), [MADE]: made });
});
afterAll(() => running.close());

describe('the service and the evaluator', () => {
  test.each(Object.keys(logs.schemas))('agree on queries over %s', async (source) => {
    const asked = fc.tuple(generateQuery(source, logs), picks, nowFor(source));
    await fc.assert(
      fc.asyncProperty(asked, async ([query, numbers, nowMicros]) => {
        const pick = pickBy(numbers);
        await expectAgreement(joinClauses(renderClauses(query, pick), pick), nowMicros);
      }),
      { numRuns: QUERIES_PER_SOURCE, seed: SEED, endOnFailure: true },
    );
  });

  test.each(Object.entries(logs.schemas))(
    'agree on the first fault of queries over %s',
    async (source, fields) => {
      const faults = fc.array(fc.tuple(generateFault(fields), fc.nat()), { minLength: 1, maxLength: 3 });
      const asked = fc.tuple(generateQuery(source, logs), faults, picks, nowFor(source));
      await fc.assert(
        fc.asyncProperty(asked, async ([query, faulty, numbers, nowMicros]) => {
          const pick = pickBy(numbers);
          const clauses = renderClauses(query, pick);
          for (const [{ text }, place] of faulty) clauses.splice(place % (clauses.length + 1), 0, text);
          await expectAgreement(joinClauses(clauses, pick), nowMicros);
        }),
        { numRuns: FAULTY_QUERIES_PER_SOURCE, seed: SEED, endOnFailure: true },
      );
    },
  );

  test.each(hardCases().map((one) => [one.id, one.why, one] as const))(
    'agree on %s: %s',
    async (_id, _why, one) => {
      await expectAgreement(textOf(one), BigInt(Date.parse(one.now)) * 1000n);
    },
  );

  test('agree on any text', async () => {
    const text = fc
      .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 9 })
      .map((some) => some.join(''));
    const prefix = fc.constantFrom('f:auth_logs ', 'f:auth_logs ', 'f:edge_logs -', '');
    await fc.assert(
      fc.asyncProperty(prefix, text, (start, rest) => expectAgreement(start + rest, NOW)),
      { numRuns: TEXTS, seed: SEED, endOnFailure: true },
    );
  });

  test('agree that a chart may have more rows than a list of events', async () => {
    const lql = `f:${MADE} c:group_by(t::second)`;
    expect(expectedOf(evaluate(lql, NOW) as LqlAnswer).count).toBeGreaterThan(100);
    await expectAgreement(lql, NOW);
  });
});

function nowFor(source: string): fc.Arbitrary<bigint> {
  return generateNow((logs.events[source] ?? []).map(({ timestamp }) => timestamp));
}

/** A case's query, which names the source that would be the default: the endpoint has several. */
function textOf({ lql, source }: LqlCase): string {
  return source === null || /(?:^|\s)(?:f|from):/.test(lql) ? lql : `f:${source} ${lql}`;
}

type Evaluated = LqlAnswer | LqlFault;

function evaluate(lql: string, nowMicros: bigint): Evaluated {
  try {
    return answerQuery(readLql(lql), logs, null, nowMicros);
  } catch (error) {
    if (error instanceof LqlFault) return error;
    throw error;
  }
}

async function expectAgreement(lql: string, nowMicros: bigint): Promise<void> {
  const evaluated = evaluate(lql, nowMicros);
  const reply = await askLql(running, lql, nowMicros);
  if (evaluated instanceof LqlFault) {
    expect({ lql, reply }).toEqual({ lql, reply: { kind: 'fault', fault: evaluated.fault } });
    return;
  }
  if (reply.kind === 'fault') throw new Error(`${JSON.stringify(lql)} answered ${reply.fault}`);
  expect({ lql, ...receivedOf(evaluated, reply.rows) }).toEqual({ lql, ...expectedOf(evaluated) });
}
