import { z } from 'zod';
import { ServiceError } from '../../errors/service-error.ts';
import { MAX_TIMESTAMP_MICROS, MIN_TIMESTAMP_MICROS } from '../../time/units.ts';
import type { ConnectionPool, PooledConnection } from './connection-pool.ts';
import { type Ending, interruptible } from './interruptible.ts';
import { type BoundValues, valuesOf } from './paging/row-source.ts';
import { SLICE_END, SLICE_START } from './translate/internal-parameters.ts';
import type { PagedTranslation, Translation } from './translate/translate.ts';

/** The statement answers one row: what kind of plan it is, and the profile as JSON. */
const PROFILE = 'EXPLAIN (ANALYZE, FORMAT json) ';
const profileSchema = z.object({ cumulative_rows_scanned: z.number().int().min(0) });

/**
 * The rows of tables that the engine reads for a whole result: groups of rows whose bounds cannot match are left out. The
 * engine runs the query again and counts, so that queries without this question pay nothing for it. Null where that fails
 * or does not end in time: the rows are there already.
 */
export async function countScanned(
  pool: ConnectionPool,
  compiled: Pick<PagedTranslation, 'paging'> & Translation,
  values: BoundValues,
  ending: Ending,
): Promise<number | null> {
  const statements = compiled.paging.kind === 'slices' ? [compiled, compiled.paging.search] : [compiled];
  const whole: BoundValues = new Map([
    ...values,
    [SLICE_START, { type: 'TIMESTAMP', value: MIN_TIMESTAMP_MICROS }],
    [SLICE_END, { type: 'TIMESTAMP', value: MAX_TIMESTAMP_MICROS }],
  ]);
  try {
    return await pool.use((pooled) =>
      interruptible(pooled.connection, ending, async () => {
        let scanned = 0;
        for (const statement of statements) scanned += await scannedBy(pooled, statement, whole);
        return scanned;
      }),
    );
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}

function scannedBy(
  { statements }: PooledConnection,
  translation: Translation,
  values: BoundValues,
): Promise<number> {
  const profiled = { sql: PROFILE + translation.sql, fixedSql: null };
  return statements.use(profiled, valuesOf(translation, values), async (statement) => {
    const profile = (await statement.runAndReadAll()).getRows()[0]?.[1];
    return profileSchema.parse(JSON.parse(String(profile))).cumulative_rows_scanned;
  });
}
