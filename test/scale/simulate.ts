import { FIRESTORE_OPERATIONS, type FirestoreOperations } from '../../cli/cost/firestore-operations.ts';
import { Random, seedOf } from '../../shared/demo-logs/random.ts';
import type { Limit, LimitName } from './limits.ts';
import type { Load } from './load.ts';
import { QueryQueue } from './query-queue.ts';
import { WaitingLine } from './waiting-line.ts';

/** What a service needs for its work; all but the last are assumed, and no limit is held against them. */
export const ASSUMED = {
  /** Seconds of a query on BigQuery that reads next to nothing. */
  querySeconds: 1,
  /** Bytes that a slot reads in a second. */
  slotBytes: 64 * 1024 * 1024,
  /** Most slots that one query has. */
  querySlots: 100,
  /** Seconds of a call whose answer is kept, and CPU of a call with and without a query. */
  hitSeconds: 0.02,
  hitCpuSeconds: 0.002,
  queryCpuSeconds: 0.02,
  /** The part of an instance's CPU at which Cloud Run starts another. */
  cpuTarget: 0.6,
} as const;

/** Seconds that are simulated: more than a round of warming, and than the first step of Firestore's ramp. */
const SECONDS = 360;
/** Seconds that Cloud Run holds a request back for which no instance has room. */
const PENDING_SECONDS = 10;
/** Seconds that the service tries again when BigQuery refuses a call for its rate. */
const RETRY_SECONDS = 3;
const RAMP_SECONDS = 300;
const RAMP_FACTOR = 1.5;

/** How much of a limit was wanted. */
export interface Use {
  /** The most that was wanted at a time, what was refused for it included. */
  readonly wanted: number;
  readonly limit: number;
}

/** How a run went. */
export interface Outcome {
  readonly uses: Readonly<Record<LimitName, Use>>;
  readonly calls: number;
  /** Calls that were not answered, by the limit that they met. */
  readonly refused: ReadonlyMap<LimitName, number>;
}

export type Limits = Readonly<Record<LimitName, Limit>>;

/** What an instance can do at the same time. */
export interface InstanceSize {
  readonly concurrency: number;
  readonly cpus: number;
}

/**
 * Simulates the busiest six minutes, second by second: callers of unequal eagerness (the k-th calls a k-th as often as
 * the first) pass Cloud Armor, find an instance, take turns by token and have their queries run. The same seed gives
 * the same run.
 */
export function simulate(load: Load, limits: Limits, size: InstanceSize, seed: number): Outcome {
  const tally = makeTally(limits);
  const { want, refuse, limit } = tally;
  const random = new Random(seedOf('scale'), seed);
  const caller = zipf(load.callers);
  const warming = warmSets(load, limits);
  for (const [name, amount] of warming.wanted) want(name, amount);
  want('consumerCap', load.consumerEstimate);
  want('queryTime', secondsOf(load.coldSetBytes));
  // Who has had an answer of a cold set asks for it again once that is too old.
  const coldMisses = (load.sets - warming.refreshed) / load.cacheTtlSeconds;
  const bounds = { deadlineSeconds: limit('queryTime'), slots: limit('slots'), slotBytes: ASSUMED.slotBytes };

  const queries = new QueryQueue(limit('runningQueries'), limit('queuedQueries'));
  const logs = makeFunction('logsInstances', tally, size);
  const counts = makeFunction('countsInstances', tally, size);
  const leaving = new Map<number, number[]>();
  const turns = new Map<number, number>();
  /** How often each caller has come to a function in this minute: Cloud Armor counts for each backend by itself. */
  const asked = { logs: new Uint32Array(load.callers), counts: new Uint32Array(load.callers) };
  let calls = 0;

  /** The callers of a second's calls that Cloud Armor lets through. */
  const arrivals = (backend: keyof typeof asked, rate: number): number[] => {
    const passed: number[] = [];
    for (let left = poisson(random, rate); left > 0; left -= 1) {
      calls += 1;
      const one = caller(random.unit());
      const count = (asked[backend][one] ?? 0) + 1;
      asked[backend][one] = count;
      want('address', count);
      if (count > limit('address')) refuse('address');
      else passed.push(one);
    }
    return passed;
  };

  /** Whether a caller's query may run or wait beside its others. */
  const mayRun = (one: number, instances: number): boolean => {
    const count = (turns.get(one) ?? 0) + 1;
    want('tokenTurns', count / instances);
    if (load.consumerEstimate > limit('consumerCap')) refuse('consumerCap');
    else if (count > limit('tokenTurns') * instances) refuse('tokenTurns');
    else {
      turns.set(one, count);
      return true;
    }
    return false;
  };

  for (let second = 0; second < SECONDS; second += 1) {
    if (second % 60 === 0) for (const counted of Object.values(asked)) counted.fill(0);
    for (const one of leaving.get(second) ?? []) turns.set(one, (turns.get(one) ?? 1) - 1);
    leaving.delete(second);

    const stored = arrivals('logs', load.storedLogs).length;
    const consumers = arrivals('logs', load.consumers);
    const counted = arrivals('counts', load.counts).length;
    const misses = Math.min(counted, poisson(random, counted * load.missShare + coldMisses));

    const admitted = consumers.filter((one) => mayRun(one, logs.running));
    const waitSeconds = queries.queued / limit('runningQueries');
    const end = second + Math.ceil(waitSeconds + secondsOf(load.storedLogsBytes));
    leaving.set(end, [...(leaving.get(end) ?? []), ...admitted]);

    const batches = [
      {
        of: 'logs',
        count: logs.step(second, stored + admitted.length, 0, queries.inFlight('logs')),
        bytes: load.storedLogsBytes,
      },
      {
        of: 'counts',
        count: counts.step(second, misses, counted - misses, queries.inFlight('counts')),
        bytes: load.coldSetBytes,
      },
    ].map((batch) => ({ ...batch, seconds: secondsOf(batch.bytes) }));
    const step = queries.step(second, batches, bounds);
    want('runningQueries', step.wanted);
    want('queuedQueries', step.queued + step.refused);
    want('slots', step.slots);
    refuse('queuedQueries', step.refused);
    refuse('queryTime', step.late);

    const instances = logs.running + counts.running;
    want('documentWrites', counts.running / 60);
    const operations = firestoreOperations(load, {
      instances,
      calls: stored + consumers.length + counted,
      hits: counted - misses,
      misses,
      refreshed: warming.refreshed,
    });
    // As a part of what is allowed by then.
    want('firestoreRamp', operations / RAMP_FACTOR ** Math.floor(second / RAMP_SECONDS));
  }
  return { uses: tally.uses(), calls, refused: tally.refused };
}

/** What was wanted of each limit, and refused for it. */
function makeTally(limits: Limits) {
  const wanted = new Map<LimitName, number>();
  const refused = new Map<LimitName, number>();
  return {
    refused,
    limit: (name: LimitName) => limits[name].value,
    want: (name: LimitName, amount: number) => void wanted.set(name, Math.max(wanted.get(name) ?? 0, amount)),
    refuse(name: LimitName, count = 1) {
      if (count > 0) refused.set(name, (refused.get(name) ?? 0) + count);
    },
    uses: () =>
      Object.fromEntries(
        (Object.keys(limits) as LimitName[]).map((name) => [
          name,
          { wanted: wanted.get(name) ?? 0, limit: limits[name].value },
        ]),
      ) as Record<LimitName, Use>,
  };
}

/** A function on Cloud Run: calls wait for room in its instances, then for BigQuery to take their queries. */
function makeFunction(
  name: LimitName,
  { want, refuse, limit }: ReturnType<typeof makeTally>,
  size: InstanceSize,
) {
  const pending = new WaitingLine(PENDING_SECONDS);
  const retried = new WaitingLine(RETRY_SECONDS);
  let running = 1;
  return {
    /** Instances that run. */
    get running() {
      return running;
    },
    /** Takes a second's calls that need a query, and hits; the queries that BigQuery takes. */
    step(second: number, queried: number, hits: number, underWay: number): number {
      pending.add(second, queried);
      const busy = underWay + retried.length + hits * ASSUMED.hitSeconds;
      const cpu = hits * ASSUMED.hitCpuSeconds + queried * ASSUMED.queryCpuSeconds;
      const needed = Math.ceil(
        Math.max((busy + pending.length) / size.concurrency, cpu / (size.cpus * ASSUMED.cpuTarget)),
      );
      want(name, needed);
      running = Math.max(1, Math.min(needed, limit(name)));
      const tooMany = Math.max(0, cpu - running * size.cpus) / Math.max(cpu, Number.EPSILON);
      refuse(name, Math.round(hits * tooMany));
      const room = Math.max(0, Math.floor((running * size.concurrency - busy) * (1 - tooMany)));
      retried.add(second, pending.take(room));
      refuse(name, pending.expire(second));
      want('apiRequests', retried.length);
      const taken = retried.take(limit('apiRequests'));
      refuse('apiRequests', retried.expire(second));
      return taken;
    },
  };
}

/** Seconds of a query that reads so many bytes and has the slots that it wants. */
export function secondsOf(bytes: number): number {
  return ASSUMED.querySeconds + bytes / (ASSUMED.slotBytes * ASSUMED.querySlots);
}

/** What a round of warming gets done before one of its limits ends it. */
function warmSets(load: Load, limits: Limits) {
  const each = secondsOf(load.refreshBytes);
  const refreshed = Math.min(
    load.sets,
    limits.warmSets.value,
    Math.floor(limits.warmTime.value / each),
    Math.floor(limits.warmBytes.value / load.refreshBytes),
  );
  const wanted: readonly (readonly [LimitName, number])[] = [
    ['warmSets', load.sets],
    ['warmTime', load.sets * each],
    ['warmBytes', load.sets * load.refreshBytes],
  ];
  return { refreshed, wanted };
}

interface SecondOfCalls {
  readonly instances: number;
  readonly calls: number;
  readonly hits: number;
  readonly misses: number;
  /** Sets of a round. */
  readonly refreshed: number;
}

/** Operations in Firestore in a second. Tokens are looked up once a minute by each instance that sees them. */
function firestoreOperations(
  load: Load,
  { instances, calls, hits, misses, refreshed }: SecondOfCalls,
): number {
  const perSecond = (seconds: number) => (load.sets * instances) / seconds;
  return (
    Math.min(calls, (load.callers * instances) / 60) * sumOf(FIRESTORE_OPERATIONS.tokenLookup) +
    misses * sumOf(FIRESTORE_OPERATIONS.miss) +
    Math.min(hits, perSecond(load.warmEverySeconds)) * sumOf(FIRESTORE_OPERATIONS.sharedHit) +
    Math.min(hits + misses, perSecond(60)) * sumOf(FIRESTORE_OPERATIONS.demandNote) +
    (refreshed / load.warmEverySeconds) * (sumOf(FIRESTORE_OPERATIONS.refresh) + 1)
  );
}

function sumOf({ reads, writes, deletes }: FirestoreOperations): number {
  return reads + writes + deletes;
}

/** Picks a caller from 0 up for a number in [0, 1): the k-th is picked a k-th as often as the first. */
function zipf(callers: number): (unit: number) => number {
  const sums = new Float64Array(callers);
  let sum = 0;
  for (let k = 0; k < callers; k += 1) {
    sum += 1 / (k + 1);
    sums[k] = sum;
  }
  return (unit) => {
    const wanted = unit * sum;
    let low = 0;
    let high = callers - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) > wanted) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

/** A count of independent events at a rate; beyond 50 a normal distribution stands in for Poisson's. */
function poisson(random: Random, rate: number): number {
  if (rate > 50) {
    const normal = Math.sqrt(-2 * Math.log(1 - random.unit())) * Math.cos(2 * Math.PI * random.unit());
    return Math.max(0, Math.round(rate + Math.sqrt(rate) * normal));
  }
  const end = Math.exp(-rate);
  let count = 0;
  for (let product = random.unit(); product > end; product *= random.unit()) count += 1;
  return count;
}
