import { lazyLru } from '../../../lru/lazy-lru.ts';
import type { PooledConnection } from '../connection-pool.ts';
import type { PagedTranslation, RecentTranslation, Translation } from '../translate/translate.ts';
import { allRows, type BoundValues, type Rows } from './row-source.ts';

/** Values whose rows were not among the newest entries, by query. */
const KEPT_VALUES = 100;
/** The most runs that look at everything at once, before the newest entries are tried again. */
const MOST_SKIPPED = 64;

/** Runs that are left to be skipped, and how many were to be. */
interface Miss {
  readonly left: number;
  readonly skipped: number;
}

type Misses = ReturnType<typeof lazyLru<Miss>>;

/**
 * Reads the newest rows of a table from the entries that arrived last, where these are enough: to plan a query over all parts of a table takes
 * longer than to run it over a few. Where they are not, the next runs with the same values do not try.
 */
export class RecentFirst {
  readonly #misses = new WeakMap<RecentTranslation, Misses>();

  /** All rows of a query that has one page. */
  async rows(pooled: PooledConnection, translation: PagedTranslation, values: BoundValues): Promise<Rows[]> {
    const { recent } = translation;
    const found = recent === null ? null : await this.#recent(pooled, recent, values);
    return found ?? allRows(pooled, translation, values);
  }

  /** What the rows for these values were last read with. */
  lastRead({ recent, ...whole }: PagedTranslation, values: BoundValues): Translation {
    return recent === null || this.#missesOf(recent).has(keyOf(values)) ? whole : recent;
  }

  async #recent(
    pooled: PooledConnection,
    recent: RecentTranslation,
    values: BoundValues,
  ): Promise<Rows[] | null> {
    const misses = this.#missesOf(recent);
    const key = keyOf(values);
    const miss = misses.get(key);
    if (miss !== undefined && miss.left > 0) {
      misses.set(key, { ...miss, left: miss.left - 1 });
      return null;
    }
    const rows = await allRows(pooled, recent, values);
    if (rows.reduce((sum, { count }) => sum + count, 0) === recent.rows) {
      misses.delete(key);
      return rows;
    }
    const skipped = Math.min(MOST_SKIPPED, 2 * (miss?.skipped ?? 0) + 1);
    misses.set(key, { left: skipped, skipped });
    return null;
  }

  #missesOf(recent: RecentTranslation): Misses {
    const misses = this.#misses.get(recent) ?? lazyLru<Miss>(KEPT_VALUES);
    this.#misses.set(recent, misses);
    return misses;
  }
}

/** The values of a query's own parameters: those that translation adds are others in each run. */
function keyOf(values: BoundValues): string {
  return JSON.stringify(
    [...values].map(([name, { value }]) => (typeof name === 'symbol' ? null : String(value))),
  );
}
