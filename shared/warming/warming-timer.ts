import type { Clock } from '../concurrency/clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Warm, WarmingReport } from './warmer.ts';

export interface WarmingTimerOptions {
  readonly endpoints: readonly Endpoint[];
  readonly warm: Warm;
  readonly clock: Clock;
  /** Aborting it ends the rounds, the one under way as well. */
  readonly signal: AbortSignal;
  /** Receives each round that found something to do. */
  readonly onRound: (endpoint: Endpoint, report: WarmingReport) => void;
  readonly onFailure: (endpoint: Endpoint, error: unknown) => void;
}

/**
 * Warms each endpoint as often as its settings say, in this process: what a scheduler does where there is one. A round
 * that takes longer than the time between rounds delays the next. Resolves when the signal is aborted; never throws.
 */
export async function runWarmingTimer(options: WarmingTimerOptions): Promise<void> {
  await Promise.all(options.endpoints.map((endpoint) => repeat(endpoint, options)));
}

async function repeat(endpoint: Endpoint, options: WarmingTimerOptions): Promise<void> {
  const { warm, clock, signal, onRound, onFailure } = options;
  if (endpoint.warmEverySeconds === null) return;
  while (!signal.aborted) {
    const isStopped = await clock.sleep(endpoint.warmEverySeconds * 1000, signal).then(
      () => false,
      () => true,
    );
    if (isStopped) return;
    try {
      const report = await warm(endpoint, signal);
      if (report.refreshed + report.skipped + report.failed + report.left > 0) onRound(endpoint, report);
    } catch (error) {
      onFailure(endpoint, error);
    }
  }
}
