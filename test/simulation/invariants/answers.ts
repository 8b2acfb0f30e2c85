import type { CacheReply } from '../../../shared/cache/result-cache.ts';
import { MAX_CLOCK_DRIFT } from '../../../shared/concurrency/clock.ts';
import { SECRET } from '../service/endpoints.ts';
import { type Asked, answerOf, type Ledger } from '../service/ledger.ts';
import type { AnsweredRow } from '../service/warehouse.ts';
import type { World } from '../world/world.ts';

/** Times of the store are cut to milliseconds. */
const ROUNDING_MS = 2;

/**
 * By how much an answer may be older than its endpoint's TTL: a clock that runs slow by the part d measures `t` when
 * t / (1 - d) have passed. One machine's clock measured the age until the store dated the answer, another's since then.
 */
export function slackMs(ttlSeconds: number): number {
  return (ttlSeconds * 1000 * MAX_CLOCK_DRIFT) / (1 - MAX_CLOCK_DRIFT) + ROUNDING_MS;
}

/** An answer is the one that was asked for, and not too old. */
export function checkAnswer(world: World, ledger: Ledger, asked: Asked, reply: CacheReply): void {
  const [text = ''] = reply.entry.answer.rows;
  const row = JSON.parse(text) as AnsweredRow;
  const run = ledger.runs[row.run];
  const who = `request ${asked.number} for ${answerOf(asked)}`;
  if (run === undefined || row.sql !== asked.endpoint.sql || row.project !== asked.project) {
    world.violate('own answer', `${who} was answered with ${text}`);
    return;
  }
  const isHidden = row.from !== SECRET;
  if (isHidden !== (asked.isRedacted || asked.endpoint.redactPii)) {
    world.violate('own redaction', `${who} was answered with ${text}`);
  }
  // A query that was under way when the request came is shared, however long it takes.
  if (run.endedMs === null || run.endedMs >= asked.arrivedMs) return;
  const { cacheTtlSeconds } = asked.endpoint;
  const ageMs = world.nowMs - run.startedMs;
  const most = cacheTtlSeconds * 1000 + slackMs(cacheTtlSeconds);
  if (ageMs > most) {
    world.violate(
      'age',
      `${who} was answered by run ${run.number}, ${ageMs.toFixed(0)} ms old; ${most.toFixed(0)} are allowed`,
    );
  }
}
