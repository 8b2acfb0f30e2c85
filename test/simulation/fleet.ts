import { firestoreTokenRegistry } from '../../shared/access/firestore/firestore-token-registry.ts';
import type { TokenRegistry } from '../../shared/access/token-registry.ts';
import { MAX_CLOCK_DRIFT } from '../../shared/concurrency/clock.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { CALM, type Weather } from './firestore/network.ts';
import type { SimulatedServer } from './firestore/server.ts';
import type { Profile } from './profile.ts';
import { connectionOf, type Instance, startInstance } from './service/instance.ts';
import type { Ledger, Run } from './service/ledger.ts';
import { type QueryFates, simulatedWarehouse } from './service/warehouse.ts';
import { Host } from './world/host.ts';
import type { Owner, World } from './world/world.ts';

const QUIET: QueryFates = { usualMs: [20, 200], slow: 0, slowMs: 0, fails: 0, hangs: 0 };

export interface FleetOptions {
  readonly world: World;
  readonly profile: Profile;
  readonly server: SimulatedServer;
  readonly ledger: Ledger;
  readonly onRun: (run: Run) => void;
}

/** Who adds and revokes tokens, on its own machine. */
export interface Administrator {
  call(work: (registry: TokenRegistry) => Promise<unknown>): void;
}

/** The machines with the instances on them, the conditions that they run under, and what happens to them. */
export class Fleet {
  /** Those that take requests. */
  readonly instances: Instance[] = [];
  weather: Weather = CALM;
  readonly #options: FleetOptions;
  readonly #world: World;
  #fates: QueryFates;
  /** How likely something happens to a machine at each of its awaits. */
  #mishap = 0;
  #mishaps = 0;
  #hosts = 0;

  constructor(options: FleetOptions) {
    this.#options = options;
    this.#world = options.world;
    this.#fates = options.profile.fates;
    this.#world.beforeEvent = (owner) => this.#maybeMishap(owner);
  }

  /** Lets mishaps begin. */
  beginTrouble(): void {
    this.#mishap = this.#options.profile.mishap;
  }

  /** Nothing more goes wrong. */
  endTrouble(): void {
    this.#mishap = 0;
    this.weather = CALM;
    this.#fates = QUIET;
  }

  any(): Instance | undefined {
    return this.instances.length === 0 ? undefined : this.#world.random.pick(this.instances);
  }

  /** Starts an instance on a new machine. */
  start(delayMs: number): void {
    const host = this.#newHost(`host ${++this.#hosts}`);
    const { profile, server, ledger, onRun } = this.#options;
    const { cache, limits, setsPerToken } = profile;
    this.#world.after(delayMs, host, 'start', async () => {
      this.#world.note(host.name, 'starts');
      const warehouse = simulatedWarehouse(this.#world, host, ledger, () => this.#fates, onRun);
      const weather = () => this.weather;
      const instance = await startInstance(host, {
        world: this.#world,
        server,
        weather,
        cache,
        warehouse,
        limits,
        setsPerToken,
      });
      if (host.state !== 'stopped') this.instances.push(instance);
    });
  }

  #newHost(name: string): Host {
    const { random } = this.#world;
    const drift = () => random.pick([-1, -1, 0, 1]) * MAX_CLOCK_DRIFT * random.pick([1, 1, random.unit()]);
    return new Host(this.#world, {
      name,
      monotonicDrift: drift(),
      wallDrift: drift(),
      canSleep: random.chance(0.5),
      wallOffsetMs: (random.unit() - 0.5) * random.pick([0, 1_000, 1_800_000]),
    });
  }

  openRegistry(name: string): Administrator {
    const host = this.#newHost(name);
    const options = { world: this.#world, server: this.#options.server, weather: () => this.weather };
    const registry = firestoreTokenRegistry(connectionOf(host, options));
    return {
      call: (work) =>
        void this.#world.after(0, host, 'administration', async () => {
          try {
            this.#world.note(name, `${JSON.stringify(await work(registry)) ?? 'done'}`);
          } catch (error) {
            if (!(error instanceof ServiceError)) throw error;
            this.#world.note(name, error.message);
          }
        }),
    };
  }

  /** At each await of a machine something may happen to it. */
  #maybeMishap(owner: Owner): void {
    const { random } = this.#world;
    if (this.#mishap === 0 || this.#mishaps >= this.#options.profile.mostMishaps || !(owner instanceof Host))
      return;
    if (!random.chance(this.#mishap)) return;
    this.#mishaps += 1;
    const kind = random.unit();
    if (kind < 0.2) {
      owner.stop();
      const index = this.instances.findIndex(({ host }) => host === owner);
      if (index >= 0) this.instances.splice(index, 1);
      if (owner.name.startsWith('host')) this.start(random.unit() * 5_000);
    } else if (kind < 0.85) {
      const mostMs = random.pick([1_000, 12_000, 90_000]);
      owner.pause(random.unit() * mostMs, kind > 0.6);
    } else {
      owner.setWall((random.unit() - 0.5) * random.pick([10_000, 7_200_000]));
    }
  }

  /** A machine may stand still while it waits for a query, and goes on with something else. */
  maybePause(host: Host, then: (instance: Instance | undefined) => void): void {
    if (this.#mishap === 0 || !this.#world.random.chance(0.1)) return;
    const { random } = this.#world;
    const instance = this.instances.find((one) => one.host === host);
    const pausedMs = random.unit() * random.pick([5_000, 60_000]);
    const atMs = random.unit() * 500;
    this.#world.after(atMs, null, 'pause', () => host.pause(pausedMs, true));
    this.#world.after(atMs + pausedMs + 1 + random.unit() * 100, null, 'request', () => then(instance));
  }
}
