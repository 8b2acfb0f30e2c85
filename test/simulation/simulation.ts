import { TOKEN_COLLECTION } from '../../shared/access/firestore/token-document.ts';
import {
  CACHE_COLLECTION,
  CHUNK_COLLECTION,
  LEASE_COLLECTION,
} from '../../shared/cache/firestore/firestore-cache-store.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { IDLE_MS } from '../../shared/warming/demand-log.ts';
import { DEMAND_COLLECTION } from '../../shared/warming/firestore/firestore-demand-log.ts';
import { tokenRecord } from '../shared/access/support/token-record.ts';
import type { Document, Path } from './firestore/documents.ts';
import { CALM, type Weather } from './firestore/network.ts';
import { SimulatedServer } from './firestore/server.ts';
import { microsOf } from './firestore/values.ts';
import { type Administrator, Fleet } from './fleet.ts';
import { checkAnswer } from './invariants/answers.ts';
import { checkOrder } from './invariants/order.ts';
import { checkRuns } from './invariants/runs.ts';
import { type Adding, checkNames, checkRevocation, REVOCATION_MS } from './invariants/tokens.ts';
import { checkDuration, checkNobodyWaits } from './invariants/waiting.ts';
import { checkAsked, checkNumber, checkRefreshed } from './invariants/warming.ts';
import { drawProfile, type Profile } from './profile.ts';
import { type CallerDeps, callWarm, type RequestOptions, send } from './service/callers.ts';
import { makeEndpoints } from './service/endpoints.ts';
import { type Asked, Ledger, type Run } from './service/ledger.ts';
import type { World } from './world/world.ts';

const EPOCH_MS = Date.UTC(2026, 0, 2);
const PROJECTS = ['a', 'b'] as const;
/** Asked for once everything has calmed down. */
const LAST_PROJECT = 'last';
const TOKENS = ['keeper', 'doomed'] as const;
/** After the last fault: pauses, silent calls, idle transactions and the circuit breaker's pauses have ended; then tokens have room for new sets. */
const SETTLING_MS = 200_000;
/** For how long an instance gets no CPU once its last answer is given. */
const FROZEN_MS = 60_000;
/** Within one region: what is noted of a new set takes three calls, which an answer waits for up to a tenth of a second. */
const NEARBY: Weather = { ...CALM, latencyMs: [1, 12] };

/** Some instances, their store, those who call them, and what goes wrong, as a seed has it. */
export class Simulation {
  readonly #world: World;
  readonly #profile: Profile;
  readonly #server: SimulatedServer;
  readonly #ledger = new Ledger();
  readonly #endpoints: readonly [Endpoint, Endpoint];
  readonly #fleet: Fleet;
  readonly #addings: Adding[] = [];
  readonly #callers: CallerDeps;
  #isOver = false;

  constructor(world: World) {
    this.#world = world;
    const profile = drawProfile(world.random);
    this.#profile = profile;
    this.#endpoints = makeEndpoints({
      cacheTtlSeconds: profile.ttlSeconds,
      warmEverySeconds: profile.warmEverySeconds,
    });
    this.#server = new SimulatedServer({
      concurrency: profile.concurrency,
      nowMicros: () => Math.floor((EPOCH_MS + world.nowMs) * 1000),
      later: (ms, run) => void world.after(ms, null, 'Firestore', run),
      onChange: (...change) => this.#onChange(...change),
    });
    this.#callers = {
      world,
      ledger: this.#ledger,
      observer: {
        onAuthenticated: (asked) => checkRevocation(world, this.#ledger, asked),
        onAnswer: (asked, reply) => checkAnswer(world, this.#ledger, asked, reply),
        onGiven: (asked) => this.#onGiven(asked),
        onEnd: (ended) => checkDuration(world, ended, profile.limits.deadlineMs),
      },
    };
    this.#fleet = new Fleet({
      world,
      profile,
      server: this.#server,
      ledger: this.#ledger,
      onRun: (run) => this.#onRun(run),
    });
  }

  async run(): Promise<void> {
    const { nowMs } = this.#world;
    this.#world.note('world', JSON.stringify(this.#profile));
    const admins = [this.#fleet.openRegistry('admin 1'), this.#fleet.openRegistry('admin 2')] as const;
    admins[0].call(async (registry) => {
      for (const token of TOKENS) await registry.add(tokenRecord(token));
    });
    for (let count = 0; count < this.#profile.hosts; count += 1) this.#fleet.start(0);
    this.#at(5_000, 'the weather', () => this.#turnWeather());
    this.#planRequests(nowMs + 5_000);
    this.#planWarming();
    this.#planAdministration(admins);
    await this.#world.run(nowMs + 5_000 + this.#profile.lastsMs);
    await this.#calmDown();
    await this.#tryOnceMore();
    await this.#world.run();
    this.#checkEnd();
  }

  #at(delayMs: number, label: string, run: () => void): void {
    this.#world.after(delayMs, null, label, run);
  }

  #part(): number {
    return this.#world.random.unit() * this.#profile.lastsMs;
  }

  #planRequests(firstMs: number): void {
    const { random } = this.#world;
    for (let burst = 0; burst < this.#profile.bursts; burst += 1) {
      const startMs = firstMs + this.#part();
      const spreadMs = random.pick([0, 100, 3_000]);
      const project = random.pick(PROJECTS);
      for (let count = random.int(1, 5); count > 0; count -= 1) {
        this.#at(startMs + random.unit() * spreadMs, 'request', () =>
          this.#request({ ...(random.chance(0.7) ? { project } : {}) }),
        );
      }
    }
  }

  #planWarming(): void {
    const { warmEverySeconds, lastsMs } = this.#profile;
    if (warmEverySeconds === null) return;
    const everyMs = warmEverySeconds * 1000;
    for (const endpoint of this.#endpoints) {
      const beginMs = this.#world.random.unit() * everyMs;
      for (let round = 0; round < 6 && beginMs + round * everyMs < lastsMs; round += 1) {
        this.#at(5_000 + beginMs + round * everyMs, 'schedule', () => {
          const instance = this.#fleet.any();
          if (instance !== undefined) callWarm(this.#callers, instance, endpoint);
        });
      }
    }
  }

  #planAdministration(admins: readonly Administrator[]): void {
    const { random } = this.#world;
    const revokedMs = 5_000 + this.#part();
    for (let count = 0; count < 3; count += 1) {
      this.#at(revokedMs + random.unit() * 60, 'request', () => this.#request({ token: 'doomed' }));
    }
    if (!this.#profile.isCalm)
      this.#at(revokedMs - 30 * random.unit(), 'request', () => this.#standStillAtRevocation());
    this.#at(revokedMs, 'revoke', () => {
      admins[0]?.call((registry) => registry.revoke(tokenRecord('doomed').digest, EPOCH_MS));
    });
    const contestedMs = 5_000 + this.#part();
    for (const [index, admin] of admins.entries()) {
      const token = tokenRecord(`contested ${index}`, { name: 'contested' });
      this.#at(contestedMs + random.unit() * 50, 'add', () =>
        admin.call(async (registry) => {
          this.#addings.push({ token, outcome: await registry.add(token) });
        }),
      );
    }
    for (let count = 0; count < 3; count += 1) this.#at(this.#part(), 'TTL policy', () => this.#expire());
  }

  /** A machine stands still just after it asked for the token that is being revoked, and is asked again meanwhile. */
  #standStillAtRevocation(): void {
    const { random } = this.#world;
    const instance = this.#fleet.any();
    const token = 'doomed';
    this.#request({ token }, instance);
    this.#at(random.unit() * 60, 'pause', () => instance?.host.pause(61_000 + random.unit() * 20_000, true));
    this.#at(1_000 + random.unit() * 60_000, 'request', () => this.#request({ token }, instance));
  }

  /** What the TTL policies of terraform/firestore.tf delete. */
  #expire(): void {
    const nowMicros = (EPOCH_MS + this.#world.nowMs) * 1000;
    for (const collection of [CACHE_COLLECTION, CHUNK_COLLECTION, LEASE_COLLECTION, DEMAND_COLLECTION]) {
      this.#server.expire(
        collection,
        'expiresAt',
        (time) => microsOf(time as FirebaseFirestore.Timestamp) < nowMicros,
      );
    }
  }

  #turnWeather(): void {
    const { weathers, lastsMs } = this.#profile;
    this.#fleet.beginTrouble();
    weathers.forEach((weather, index) => {
      this.#at((index * lastsMs) / weathers.length, 'the weather', () => {
        if (this.#isOver) return;
        this.#fleet.weather = weather;
        this.#world.note('world', `weather: ${JSON.stringify(weather)}`);
      });
    });
  }

  #request(options: Partial<RequestOptions> = {}, instance = this.#fleet.any()): void {
    const { random } = this.#world;
    if (instance === undefined) return;
    send(this.#callers, instance, {
      endpoint: random.pick(this.#endpoints),
      project: random.pick(PROJECTS),
      isRedacted: random.chance(0.3),
      token: random.chance(0.3) ? 'doomed' : 'keeper',
      bypassesCache: random.chance(0.1),
      patienceMs: !this.#profile.isCalm && random.chance(0.1) ? random.unit() * 3_000 : null,
      ...options,
    });
  }

  #onRun(run: Run): void {
    const endpoint = this.#endpoints.find(({ sql }) => sql === run.sql);
    if (endpoint === undefined) throw new TypeError(`there is no endpoint of ${run.sql}`);
    checkAsked(this.#world, this.#ledger, run, endpoint, this.#profile.limits, this.#profile.isCalm);
    const { random } = this.#world;
    this.#fleet.maybePause(run.host, (instance) => this.#request({}, instance));
    // What is about to be too old is where mistakes show.
    if (this.#isOver || !random.chance(0.4)) return;
    const atMs = endpoint.cacheTtlSeconds * 1000 + (random.unit() - 0.9) * 400;
    this.#at(atMs, 'request', () => {
      if (!this.#isOver) this.#request({ endpoint, project: run.project, bypassesCache: false });
    });
  }

  #onChange(path: Path, before: Document | null, after: Document | null): void {
    const world = this.#world;
    if (path.collection === DEMAND_COLLECTION && before === null && after !== null)
      checkNumber(world, [...this.#server.documents(DEMAND_COLLECTION)], after, this.#profile.setsPerToken);
    checkOrder(world, this.#ledger, path, before, after);
    if (path.collection !== TOKEN_COLLECTION || after === null || after.fields.revoked === null) return;
    const token = TOKENS.find((one) => tokenRecord(one).digest === path.id);
    if (token === undefined) return;
    world.note('world', `the token ${token} is revoked`);
    this.#ledger.revokedAt.set(token, world.nowMs);
    for (const edgeMs of [0, REVOCATION_MS - 100, REVOCATION_MS, REVOCATION_MS + 20]) {
      this.#at(edgeMs + world.random.unit() * 40, 'request', () => this.#request({ token }));
    }
  }

  /** What the platform may do to an instance whose answer is given: it stands still until its next request. */
  #onGiven({ project, host }: Asked): void {
    if (project === LAST_PROJECT && this.#profile.cache === 'firestore') host.pause(FROZEN_MS, false);
  }

  /** Faults end, and what they left behind. */
  async #calmDown(): Promise<void> {
    const world = this.#world;
    world.note('world', 'everything calms down');
    this.#isOver = true;
    this.#fleet.endTrouble();
    await world.run(world.nowMs + SETTLING_MS + IDLE_MS + this.#profile.limits.deadlineMs);
    while (this.#fleet.instances.length < 2) {
      this.#fleet.start(0);
      await world.run(world.nowMs + 1_000);
    }
  }

  /** Now everything works: the cache is shared, and what is asked for is warmed. */
  async #tryOnceMore(): Promise<void> {
    const world = this.#world;
    const [endpoint] = this.#endpoints;
    const wanted = {
      endpoint,
      project: LAST_PROJECT,
      isRedacted: false,
      token: 'keeper',
      bypassesCache: false,
      patienceMs: null,
    };
    const [first, second] = this.#fleet.instances;
    this.#fleet.weather = NEARBY;
    this.#request(wanted, first);
    await world.run(world.nowMs + 1_000);
    this.#request(wanted, second);
    await world.run(world.nowMs + 500);
    const runs = this.#ledger.runs.filter(({ project }) => project === LAST_PROJECT).length;
    const expected = this.#profile.cache === 'firestore' ? 1 : 2;
    if (runs !== expected) world.violate('heals', `${runs} queries ran for two instances, not ${expected}`);
    if (endpoint.warmEverySeconds === null || first === undefined) return;
    const sinceMs = world.nowMs;
    // Those that noted it stand still; the function that warms is its own instance.
    if (this.#profile.cache === 'firestore') {
      this.#fleet.start(0);
      await world.run(world.nowMs + 1_000);
    }
    const warmer = this.#profile.cache === 'firestore' ? this.#fleet.instances.at(-1) : first;
    if (warmer !== undefined) callWarm(this.#callers, warmer, endpoint);
    await world.run(world.nowMs + 30_000);
    checkRefreshed(world, this.#ledger, endpoint, [wanted], sinceMs);
  }

  #checkEnd(): void {
    const world = this.#world;
    checkNobodyWaits(world, this.#ledger);
    const stored = [...this.#server.documents(TOKEN_COLLECTION)];
    checkNames(
      world,
      stored.map(({ id, fields }) => ({ digest: id, name: String(fields.name) })),
      this.#addings,
    );
    if (!this.#profile.isCalm || this.#profile.cache === 'memory') return;
    for (const endpoint of this.#endpoints) checkRuns(world, this.#ledger, endpoint);
  }
}
