import { expect } from '@jest/globals';
import fc from 'fast-check';
import { makePartStore } from '../../../../../shared/cache/part-store.ts';
import { makeStoreLevel } from '../../../../../shared/cache/store-level.ts';
import { systemRandom } from '../../../../../shared/concurrency/random.ts';
import type { Endpoint } from '../../../../../shared/endpoints/endpoint.ts';
import { makeSealedQueries } from '../../../../../shared/results/sealed/sealed-queries.ts';
import type { QueryParameter } from '../../../../../shared/sql/types/query-parameter.ts';
import type { QueryResult, Warehouse } from '../../../../../shared/warehouse/warehouse.ts';
import { manualClock } from '../../../cache/support/manual-clock.ts';
import { memoryCacheStore } from '../../../cache/support/memory-cache-store.ts';
import { arrivingWarehouse, ENTRIES, HOUR, OPTIONS, START } from './arriving-entries.ts';

const SECOND = 1_000_000n;
const GRACE_SECONDS = 900;
/** The instances' clocks are wrong by less than the margin. */
const SKEWS_SECONDS = [0, 50, -300];

const step = fc.record({
  seconds: fc.oneof(fc.integer({ min: 0, max: 600 }), fc.integer({ min: 600, max: 4 * 3600 })),
  micros: fc.integer({ min: 0, max: 999_999 }),
  isOnTheHour: fc.boolean(),
  instance: fc.nat(SKEWS_SECONDS.length - 1),
});

const history = fc.record({
  /** How late each entry arrives, in seconds; some never do. */
  delays: fc.array(fc.option(fc.integer({ min: 0, max: GRACE_SECONDS }), { freq: 4 }), {
    minLength: ENTRIES.length,
    maxLength: ENTRIES.length,
  }),
  steps: fc.array(step, { minLength: 3, maxLength: 8 }),
  project: fc.constantFrom('demo', 'co/1', 'co/[02]', 'nobody'),
});

/**
 * Lives through histories of entries that arrive up to the grace late, while instances that share a store ask again and
 * again, and expects that each answer of parts is the one of the query over the whole window, text by text.
 */
export function expectSameAnswers(
  inner: Warehouse,
  endpoint: Endpoint,
  interval: string,
  numRuns: number,
): Promise<void> {
  return fc.assert(
    fc.asyncProperty(history, async ({ delays, steps, project }) => {
      const time = { micros: START };
      const live = arrivingWarehouse(inner);
      const store = memoryCacheStore(() => Number(time.micros / 1000n));
      const instances = SKEWS_SECONDS.map((skew) => {
        const clock = manualClock();
        const warnings: unknown[] = [];
        const warn = (message: string, fields?: object) => void warnings.push({ message, ...fields });
        const shared = makeStoreLevel({ store, clock, random: systemRandom, warn });
        const parts = makePartStore({ maxBytes: 2 ** 24, shared, clock });
        const { monotonicMs } = clock;
        const { run } = makeSealedQueries({
          warehouse: live.warehouse,
          parts,
          source: 'test',
          monotonicMs,
          warn,
        });
        return { run, warnings, skewMicros: BigInt(skew) * SECOND };
      });
      const parameters = new Map<string, QueryParameter>([
        ['interval', { type: 'STRING', value: interval }],
        ['project', { type: 'STRING', value: project }],
      ]);
      const query = { sql: endpoint.sql, parameters };
      for (const { seconds, micros, isOnTheHour, instance } of steps) {
        time.micros += BigInt(seconds) * SECOND + BigInt(micros);
        if (isOnTheHour) time.micros += HOUR - (time.micros % HOUR);
        live.arrived = ENTRIES.map(({ micros: at }, index) => {
          const delay = delays[index];
          return typeof delay === 'number' && at + BigInt(delay) * SECOND <= time.micros;
        });
        const { run, warnings, skewMicros } = instances[instance] ?? instances[0]!;
        const options = { ...OPTIONS, nowMicros: time.micros + skewMicros };
        const whole = await live.warehouse.run(query, options);
        const byParts = await run({ endpoint, query, options, redaction: [] });
        expect(answerIn(byParts)).toEqual(answerIn(whole));
        expect(warnings).toEqual([]);
      }
    }),
    { numRuns, endOnFailure: true },
  );
}

function answerIn({ columns, rows, truncated }: QueryResult) {
  return { columns, rows, truncated };
}
