import { MAX_TIMESTAMP_MICROS, MIN_TIMESTAMP_MICROS } from '../../../time/units.ts';
import { pageExpired } from '../../page-token.ts';
import type { ConnectionPool, PooledConnection } from '../connection-pool.ts';
import { SLICE_END, SLICE_START } from '../translate/internal-parameters.ts';
import type { Paging } from '../translate/page-plans.ts';
import type { Translation } from '../translate/translate.ts';
import { allRows, type BoundValues, type RowSource, type Rows } from './row-source.ts';

type Slices = Extract<Paging<Translation>, { readonly kind: 'slices' }>;

/** Stretches of time, first and last instant included, in microseconds since the epoch. */
interface Stretch {
  readonly start: bigint;
  readonly end: bigint;
}

/** Does work with the translations for the tables as they are now, which stay so meanwhile. */
export type WithSlices = <T>(
  work: (rows: Translation, paging: Paging<Translation>) => Promise<T>,
) => Promise<T>;

/**
 * The rows of a query that is read a stretch of time at a time: each as long as a page needs, none before it is asked
 * for. Nothing is held in between but where the next begins: entries may arrive meanwhile, and be kept elsewhere.
 */
export function sliceRows(pool: ConnectionPool, withSlices: WithSlices, values: BoundValues): RowSource {
  let left: Stretch | null = { start: MIN_TIMESTAMP_MICROS, end: MAX_TIMESTAMP_MICROS };
  let read: Rows[] = [];
  let isCut = false;

  const readSlice = (pooled: PooledConnection, stretch: Stretch) =>
    withSlices(async (rows, paging) => {
      // The columns of the tables have changed, and with them the way to read the query.
      if (paging.kind !== 'slices') throw pageExpired();
      await readOne(pooled, stretch, rows, paging);
    });

  async function readOne(
    pooled: PooledConnection,
    stretch: Stretch,
    rows: Translation,
    { isNewestFirst, search, sliceRows: mostRows }: Slices,
  ): Promise<void> {
    const reach = instantOf(await allRows(pooled, search, within(values, stretch)));
    const slice =
      reach === null ? stretch : isNewestFirst ? { ...stretch, start: reach } : { ...stretch, end: reach };
    read = await allRows(pooled, rows, within(values, slice));
    isCut = read.reduce((sum, { count }) => sum + count, 0) > mostRows;
    const last = read.pop();
    // The row too many only shows that there are more.
    if (last !== undefined) read.push(isCut ? { ...last, count: last.count - 1 } : last);
    left = reach === null || isCut ? null : behind(stretch, reach, isNewestFirst);
  }

  return {
    get isCut() {
      return isCut;
    },
    read: (work) =>
      pool.use((pooled) =>
        work(async () => {
          for (;;) {
            const rows = read.shift();
            if (rows !== undefined) return rows;
            if (left === null) return null;
            await readSlice(pooled, left);
          }
        }, pooled.connection),
      ),
    close: async () => {
      left = null;
      read = [];
    },
  };
}

/** What is left after a slice that reached so far. */
function behind({ start, end }: Stretch, reach: bigint, isNewestFirst: boolean): Stretch | null {
  const left = isNewestFirst ? { start, end: reach - 1n } : { start: reach + 1n, end };
  return left.start <= left.end ? left : null;
}

function within(values: BoundValues, { start, end }: Stretch): BoundValues {
  return new Map([
    ...values,
    [SLICE_START, { type: 'TIMESTAMP', value: start }],
    [SLICE_END, { type: 'TIMESTAMP', value: end }],
  ]);
}

/** The one value of a row like `{"t":1}`, digit by digit: JSON's numbers are too coarse. */
function instantOf([rows]: readonly Rows[]): bigint | null {
  if (rows === undefined || rows.count === 0) return null;
  const digits = /-?\d+/.exec(rows.text(0))?.[0];
  if (digits === undefined) throw new TypeError('a slice has to end at an instant');
  return BigInt(digits);
}
