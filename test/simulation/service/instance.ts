import type { TokenStore } from '../../../shared/access/token-store.ts';
import type { Packing } from '../../../shared/cache/answer-codec.ts';
import type { ResultCache } from '../../../shared/cache/result-cache.ts';
import { firestoreConnection } from '../../../shared/firestore/firestore-connection.ts';
import { makeEstimateResult } from '../../../shared/results/estimate-result.ts';
import { makeObtainResult, type ObtainResult } from '../../../shared/results/obtain-result.ts';
import { makeRedactedEndpoints } from '../../../shared/results/redacted-endpoints.ts';
import { openCache } from '../../../shared/runtime/open-cache.ts';
import { openTokens } from '../../../shared/runtime/open-tokens.ts';
import type { Warehouse } from '../../../shared/warehouse/warehouse.ts';
import type { DemandLog } from '../../../shared/warming/demand-log.ts';
import { makeWarmer, type Warm, type WarmingLimits } from '../../../shared/warming/warmer.ts';
import { openAdmission } from '../../shared/admission/support/open-admission.ts';
import { openSimulated } from '../firestore/client.ts';
import { simulatedNetwork, type Weather } from '../firestore/network.ts';
import type { SimulatedServer } from '../firestore/server.ts';
import type { Host } from '../world/host.ts';
import type { World } from '../world/world.ts';

/** A query is cancelled after this; the default of a function with 60 s (docs/operations.md). */
export const DEADLINE_MS = 50_000;
const ADDRESS = { googleProject: 'simulated', database: '(default)' };

/** One instance of the service: the real parts, on a simulated machine. */
export interface Instance {
  readonly host: Host;
  readonly tokens: TokenStore;
  readonly cache: ResultCache;
  readonly obtain: ObtainResult;
  readonly demand: DemandLog;
  readonly warm: Warm;
}

export interface InstanceOptions {
  readonly world: World;
  readonly server: SimulatedServer;
  readonly weather: () => Weather;
  readonly cache: 'memory' | 'firestore';
  readonly warehouse: Warehouse;
  readonly limits: WarmingLimits;
  readonly setsPerToken: number;
}

/** Puts an instance together as shared/runtime/compose.ts does. */
export async function startInstance(host: Host, options: InstanceOptions): Promise<Instance> {
  const { world, warehouse, limits, setsPerToken } = options;
  const { clock } = host;
  const warn = (message: string, fields: Readonly<Record<string, unknown>> = {}) =>
    world.note(host.name, `warns: ${message} ${textOf(fields)}`);
  const connection = connectionOf(host, options);
  const { tokens } = await openTokens(
    { token: 'local', tokenStore: 'firestore', tokensFile: '' },
    connection,
    clock,
  );
  const { cache, demand, locks } = openCache(
    { cache: options.cache, cacheMemoryMib: 1, answerMemoryMib: 64, setsPerToken, warehouse: 'bigquery' },
    connection,
    { warn },
    { clock, random: host.random, packing: packingOf(world, host) },
  );
  const running = {
    warehouse,
    cache,
    nowMicros: () => BigInt(Math.round(clock.wallMs())) * 1000n,
    monotonicMs: clock.monotonicMs,
    deadlineMs: DEADLINE_MS,
    sqlDeadlineMs: 30_000,
    byteCaps: { consumerMaxBytesBilled: 1_073_741_824, storedMaxBytesBilled: 107_374_182_400 },
    admission: openAdmission(),
  };
  const obtain = makeObtainResult(running);
  const estimate = makeEstimateResult(running);
  const redacted = makeRedactedEndpoints(warehouse);
  const warm = makeWarmer({ obtain, estimate, redacted, demand, locks, clock, limits, warn });
  return { host, tokens, cache, obtain, demand, warm };
}

/** A connection as the service has it, to the simulated server. */
export function connectionOf(
  host: Host,
  { world, server, weather }: Omit<InstanceOptions, 'warehouse' | 'limits' | 'setsPerToken' | 'cache'>,
) {
  const network = simulatedNetwork({ world, owner: host, weather });
  const connect = async () => {
    await world.wait(20 + world.random.unit() * 200, host, 'connect');
    return openSimulated(server, network);
  };
  return firestoreConnection(ADDRESS, { clock: host.clock, connect });
}

/** Packs nothing, and takes some time for it: the compressor's bytes are not what is looked at here. */
function packingOf(world: World, host: Host): Packing {
  const take = async (bytes: Buffer) => {
    await world.wait(world.random.unit() * 3, host, 'pack');
    return bytes;
  };
  return { pack: take, unpack: take };
}

function textOf(fields: Readonly<Record<string, unknown>>): string {
  return Object.values(fields)
    .map((value) => (value instanceof Error ? value.message : String(value)))
    .join(', ');
}
