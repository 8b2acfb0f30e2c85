import { beforeEach, expect, test } from '@jest/globals';
import { FIRESTORE_OPERATIONS, type FirestoreOperations } from '../../../cli/cost/firestore-operations.ts';
import { firestoreTokenStore } from '../../../shared/access/firestore/firestore-token-store.ts';
import { firestoreCacheStore } from '../../../shared/cache/firestore/firestore-cache-store.ts';
import { makeResultCache, type ResultCache } from '../../../shared/cache/result-cache.ts';
import { makeStoreLevel } from '../../../shared/cache/store-level.ts';
import { systemClock } from '../../../shared/concurrency/clock.ts';
import { systemRandom } from '../../../shared/concurrency/random.ts';
import { firestoreConnection } from '../../../shared/firestore/firestore-connection.ts';
import { firestoreDemandLog } from '../../../shared/warming/firestore/firestore-demand-log.ts';
import { firestoreLocks } from '../../../shared/warming/firestore/firestore-locks.ts';
import { openSimulated } from '../../simulation/firestore/client.ts';
import { directNetwork } from '../../simulation/firestore/network.ts';
import { SimulatedServer } from '../../simulation/firestore/server.ts';

/** Firestore as the simulation has it, which counts documents as Google bills them. */
class CountingServer extends SimulatedServer {
  counted: FirestoreOperations = { reads: 0, writes: 0, deletes: 0 };

  override read(...given: Parameters<SimulatedServer['read']>) {
    this.#add({ reads: given[0].length });
    return super.read(...given);
  }

  override query(...given: Parameters<SimulatedServer['query']>) {
    const reading = super.query(...given);
    this.#add({ reads: reading.documents.length });
    return reading;
  }

  override commit(...given: Parameters<SimulatedServer['commit']>) {
    const deletes = given[0].filter(({ kind }) => kind === 'delete').length;
    this.#add({ writes: given[0].length - deletes, deletes });
    super.commit(...given);
  }

  #add(more: Partial<FirestoreOperations>): void {
    const { reads, writes, deletes } = this.counted;
    const { reads: r = 0, writes: w = 0, deletes: d = 0 } = more;
    this.counted = { reads: reads + r, writes: writes + w, deletes: deletes + d };
  }
}

const MACHINE = { clock: systemClock, random: systemRandom, warn: () => {} };
const TTL_SECONDS = 900;

let server: CountingServer;
beforeEach(() => {
  server = new CountingServer({
    concurrency: 'pessimistic',
    nowMicros: () => Date.now() * 1000,
    later: (ms, run) => void setTimeout(run, ms).unref(),
  });
});

const open = async () => openSimulated(server, directNetwork);

function cacheOfInstance(): ResultCache {
  const shared = makeStoreLevel({ ...MACHINE, store: firestoreCacheStore(open, MACHINE) });
  return makeResultCache({ maxBytes: 1_000_000, shared, clock: systemClock });
}

async function ask(cache: ResultCache, refresh = false): Promise<string> {
  const { state } = await cache.answer('key', {
    ttlSeconds: TTL_SECONDS,
    refresh,
    recheckSeconds: 300,
    signal: new AbortController().signal,
    compute: async () => ({
      columns: [],
      rows: ['{"n":1}'],
      truncated: false,
      bytesProcessed: null,
      bytesBilled: null,
      facts: {},
    }),
  });
  await cache.settle();
  return state;
}

const SET = { endpointId: 'endpoint', parameters: { interval: 'daily' }, isRedacted: false };

/** What some work does in Firestore. */
async function operationsOf(work: () => Promise<unknown>): Promise<FirestoreOperations> {
  server.counted = { reads: 0, writes: 0, deletes: 0 };
  await work();
  return server.counted;
}

test('an answer that no instance has is looked for, computed under a lease and written', async () => {
  const miss = await operationsOf(async () => expect(await ask(cacheOfInstance())).toBe('MISS'));
  expect(miss).toEqual(FIRESTORE_OPERATIONS.miss);
});

test('an answer of another instance is read once, and its own answer not at all', async () => {
  await ask(cacheOfInstance());
  const other = cacheOfInstance();
  const hit = await operationsOf(async () => expect(await ask(other)).toBe('HIT'));
  expect(hit).toEqual(FIRESTORE_OPERATIONS.sharedHit);
  expect(await operationsOf(() => ask(other))).toEqual({ reads: 0, writes: 0, deletes: 0 });
});

test('a refresh reads what it replaces, and its lease, before it writes', async () => {
  await ask(cacheOfInstance());
  const refresh = await operationsOf(async () => expect(await ask(cacheOfInstance(), true)).toBe('REFRESH'));
  expect(refresh).toEqual(FIRESTORE_OPERATIONS.refresh);
});

test('what is written without a lease is compared with what is there', async () => {
  const store = firestoreCacheStore(open, MACHINE);
  const kept = await operationsOf(async () => {
    await store.read('hours');
    await store.write('hours', { bytes: Buffer.from('x'), ttlSeconds: 60, ageMs: () => 0 }, null);
  });
  expect(kept).toEqual(FIRESTORE_OPERATIONS.sealedHour);
});

test('a token is looked up by one document', async () => {
  const connection = firestoreConnection({ googleProject: 'p', database: 'd' }, { connect: open });
  const lookup = await operationsOf(() => firestoreTokenStore(connection).find('digest'));
  expect(lookup).toEqual(FIRESTORE_OPERATIONS.tokenLookup);
});

test('a round of warming takes its lock, looks what is asked for and frees it', async () => {
  const locks = firestoreLocks({ ...MACHINE, open });
  const demand = firestoreDemandLog({ ...MACHINE, open, setsPerToken: 100 });
  await demand.write(SET, 'owner');
  const round = await operationsOf(async () => {
    const release = await locks.acquire('endpoint', 1000);
    expect((await demand.waiting('endpoint', 3600, 1000)).sets).toEqual([SET]);
    await release?.();
  });
  const { reads, ...others } = FIRESTORE_OPERATIONS.round;
  expect(round).toEqual({ reads: reads + 1, ...others });
});

test('a note that a set was asked for is one write, and so is that it was refreshed', async () => {
  const demand = firestoreDemandLog({ ...MACHINE, open, setsPerToken: 100 });
  await demand.write(SET, 'owner');
  expect(await operationsOf(() => demand.write(SET, 'owner'))).toEqual(FIRESTORE_OPERATIONS.demandNote);
  expect(await operationsOf(() => demand.served(SET))).toEqual(FIRESTORE_OPERATIONS.served);
});
