import { setTimeout as sleep } from 'node:timers/promises';
import type { FollowOptions } from './follow-options.ts';
import { Follower } from './follower.ts';

/** The time between two looks at the folder; longer where one takes long, so that many files cost a fifth of a core at most. */
const INTERVAL_MS = 200;
const LONGEST_INTERVAL_MS = 1_000;
const SHARE_OF_TIME = 5;

/**
 * Reads on the files of a folder until the signal is aborted, and stores what is added to them: what `--logs` would load, line by
 * line. Files may grow, appear, be renamed, copied and truncated, and be compressed afterwards.
 *
 * It looks at the folder five times a second rather than being notified: network and container file systems send no notifications, nor do
 * the targets of symbolic links, so that it would have to look all the same.
 *
 * Nothing is lost or stored twice, however the process ends. How far files were read is written after their entries are durable,
 * so a crash makes it read some lines again; these have the same ids as before (`entry-id.ts`), and an id is taken once. A
 * position in the same record as the entries would be atomic by itself, but would have to live on in segments when records are sealed and merged, and would know
 * no copies. Where a source has no column `id`, the position is written after each batch instead, and a crash between both repeats
 * that batch.
 *
 * Throws what the sink throws besides refusals.
 */
export async function followLogs(options: FollowOptions): Promise<void> {
  const { signal, intervalMs = INTERVAL_MS, nowMs = () => performance.now() } = options;
  const follower = new Follower(options, nowMs);
  try {
    while (!signal.aborted) {
      const begunMs = nowMs();
      await follower.look();
      const tookMs = nowMs() - begunMs;
      let hasMore = true;
      while (hasMore && !signal.aborted && nowMs() - begunMs < intervalMs + tookMs)
        hasMore = await follower.readOn();
      await follower.endRound();
      if (hasMore) continue;
      const pauseMs = Math.min(Math.max(intervalMs, tookMs * SHARE_OF_TIME), LONGEST_INTERVAL_MS);
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await follower.close();
  }
}
