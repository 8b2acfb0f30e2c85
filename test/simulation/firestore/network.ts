import type { Owner, World } from '../world/world.ts';
import { CODES, RpcError } from './documents.ts';

/** What a server answers to a call, at once or later. */
export type Handle<T> = (reply: (result: T) => void) => void;

/** The way from a client to the server and back. */
export interface Network {
  /** Makes a call as Google's client does: again, later each time, when it fails with one of these codes. */
  call<T>(label: string, retried: readonly number[], handle: Handle<T | RpcError>): Promise<T>;
  sleep(ms: number): Promise<void>;
}

/** How the network between the instances and Firestore behaves; it changes while the simulation runs. */
export interface Weather {
  /** Milliseconds that each way takes. */
  readonly latencyMs: readonly [number, number];
  /** How likely a way takes up to `slowMs`. */
  readonly slow: number;
  readonly slowMs: number;
  /** How likely a call fails before the server does anything. */
  readonly refused: number;
  /** How likely the server does its work and the answer is lost. */
  readonly answerLost: number;
  /** How likely what is lost is lost silently, so that the caller waits for the client's own deadline. */
  readonly silent: number;
}

export const CALM: Weather = { latencyMs: [2, 25], slow: 0, slowMs: 0, refused: 0, answerLost: 0, silent: 0 };

/** The client's own numbers (firestore_client_config.json): a call's deadline, and the times between attempts. */
const RPC_DEADLINE_MS = 60_000;
const TOTAL_MS = 600_000;
const FIRST_DELAY_MS = 100;
const DELAY_FACTOR = 1.3;

export interface SimulatedNetworkOptions {
  readonly world: World;
  readonly owner: Owner;
  readonly weather: () => Weather;
}

/** A network whose delays and losses come from the world's chance. */
export function simulatedNetwork({ world, owner, weather }: SimulatedNetworkOptions): Network {
  const wayMs = () => {
    const { latencyMs, slow, slowMs } = weather();
    const [low, high] = world.random.chance(slow) ? [latencyMs[1], slowMs] : latencyMs;
    return low + world.random.unit() * (high - low);
  };

  const attempt = <T>(label: string, handle: Handle<T | RpcError>): Promise<T | RpcError> =>
    new Promise((resolve) => {
      const { refused, answerLost, silent } = weather();
      const chance = world.random.unit();
      const fate = chance < refused ? 'refused' : chance < refused + answerLost ? 'answer lost' : 'answered';
      const isSilent = fate !== 'answered' && world.random.chance(silent);
      const settle = (result: T | RpcError, afterMs: number) =>
        world.after(afterMs, owner, label, () => {
          world.note(owner.name, `${label} → ${result instanceof RpcError ? result.message : 'answered'}`);
          resolve(result);
        });
      const lose = () =>
        isSilent
          ? settle(new RpcError('DEADLINE_EXCEEDED', 'no answer'), RPC_DEADLINE_MS)
          : settle(new RpcError('UNAVAILABLE', fate), wayMs());
      world.note(
        owner.name,
        `${label} …${fate === 'answered' ? '' : ` (${fate}${isSilent ? ', silently' : ''})`}`,
      );
      if (fate === 'refused') return void lose();
      // From here on it happens whether the caller still runs or not.
      world.after(wayMs(), null, label, () => {
        handle((result) => {
          if (fate === 'answered') settle(result, wayMs());
          else lose();
        });
      });
    });

  const network: Network = {
    sleep: (ms) => world.wait(ms, owner, 'client sleeps'),
    async call(label, retried, handle) {
      const began = world.nowMs;
      for (let delayMs = FIRST_DELAY_MS; ; delayMs *= DELAY_FACTOR) {
        const result = await attempt(label, handle);
        if (!(result instanceof RpcError)) return result;
        if (!retried.includes(result.code) || world.nowMs - began > TOTAL_MS) throw result;
        await network.sleep(delayMs * world.random.unit());
      }
    },
  };
  return network;
}

/** A network that takes no time and loses nothing, in real time. */
export const directNetwork: Network = {
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  async call(_label, retried, handle) {
    for (;;) {
      const result = await new Promise<Parameters<Parameters<typeof handle>[0]>[0]>((resolve) =>
        handle(resolve),
      );
      if (!(result instanceof RpcError)) return result;
      if (!retried.includes(result.code) || result.code !== CODES.ABORTED) throw result;
      await directNetwork.sleep(1);
    }
  },
};
