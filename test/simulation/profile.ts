import type { Random } from '../../shared/demo-logs/random.ts';
import type { WarmingLimits } from '../../shared/warming/warmer.ts';
import { CALM, type Weather } from './firestore/network.ts';
import type { ServerOptions } from './firestore/server.ts';
import type { QueryFates } from './service/warehouse.ts';

/** What a seed makes of the world, before anything happens in it. */
export interface Profile {
  /** Whether nothing fails, pauses or stops. */
  readonly isCalm: boolean;
  readonly concurrency: ServerOptions['concurrency'];
  readonly cache: 'memory' | 'firestore';
  readonly hosts: number;
  readonly ttlSeconds: number;
  readonly warmEverySeconds: number | null;
  readonly limits: WarmingLimits;
  readonly setsPerToken: number;
  /** How long requests come, in milliseconds. */
  readonly lastsMs: number;
  readonly bursts: number;
  /** How the network is in each part of that time. */
  readonly weathers: readonly Weather[];
  readonly fates: QueryFates;
  /** How likely a machine is paused, put to sleep, stopped, or its clock set, at each of its awaits. */
  readonly mishap: number;
  readonly mostMishaps: number;
}

const EASY: QueryFates = { usualMs: [20, 1500], slow: 0.1, slowMs: 9_000, fails: 0, hangs: 0 };

/** Draws a profile: a quarter of the seeds are calm, so that rules which hold where nothing fails are looked at, too. */
export function drawProfile(random: Random): Profile {
  const isCalm = random.chance(0.25);
  const ttlSeconds = random.pick([2, 5, 20, 60, 300, 900]);
  const lastsMs = random.pick([20_000, 90_000, 200_000, 900_000]);
  return {
    isCalm,
    concurrency: random.pick(['pessimistic', 'optimistic']),
    cache: random.chance(0.1) ? 'memory' : 'firestore',
    hosts: random.int(1, 3),
    ttlSeconds,
    warmEverySeconds: random.chance(0.5) ? random.pick([15, 60, 300]) : null,
    limits: {
      windowSeconds: random.pick([60, 600, 3600]),
      concurrency: random.int(1, 3),
      deadlineMs: random.pick([10_000, 60_000, 240_000]),
      maxBytes: Number.MAX_SAFE_INTEGER,
    },
    setsPerToken: random.pick([2, 3, 100]),
    lastsMs,
    bursts: random.int(2, 6),
    weathers: isCalm ? [CALM] : [drawWeather(random), drawWeather(random), drawWeather(random)],
    fates: isCalm
      ? EASY
      : {
          ...EASY,
          slow: random.pick([0.1, 0.4]),
          slowMs: random.pick([9_000, 60_000]),
          fails: random.pick([0, 0.2]),
          hangs: random.pick([0, 0.1]),
        },
    mishap: isCalm ? 0 : random.pick([0, 0.003, 0.02]),
    mostMishaps: random.int(1, 6),
  };
}

function drawWeather(random: Random): Weather {
  return {
    latencyMs: [1, random.pick([10, 60, 200])],
    slow: random.pick([0, 0.05, 0.3]),
    slowMs: random.pick([400, 3_000, 20_000]),
    refused: random.pick([0, 0, 0.1, 0.5, 1]),
    answerLost: random.pick([0, 0, 0.1, 0.4]),
    silent: random.pick([0, 0.3, 1]),
  };
}
