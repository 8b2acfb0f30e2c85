import { describe } from '@jest/globals';
import { firestoreTokenRegistry } from '../../../shared/access/firestore/firestore-token-registry.ts';
import { firestoreTokenStore } from '../../../shared/access/firestore/firestore-token-store.ts';
import { firestoreCacheStore } from '../../../shared/cache/firestore/firestore-cache-store.ts';
import { systemClock } from '../../../shared/concurrency/clock.ts';
import { systemRandom } from '../../../shared/concurrency/random.ts';
import { firestoreConnection } from '../../../shared/firestore/firestore-connection.ts';
import { firestoreDemandLog } from '../../../shared/warming/firestore/firestore-demand-log.ts';
import { firestoreLocks } from '../../../shared/warming/firestore/firestore-locks.ts';
import { tokenRegistryContract } from '../../shared/access/support/token-registry-contract.ts';
import { cacheStoreContract } from '../../shared/cache/support/cache-store-contract.ts';
import {
  ageSets,
  demandLogContract,
  locksContract,
  processOver,
  SETS_PER_TOKEN,
} from '../../shared/warming/support/demand-log-contract.ts';
import { openSimulated } from './client.ts';
import { databaseContract } from './database-contract.ts';
import { directNetwork } from './network.ts';
import { type ServerOptions, SimulatedServer } from './server.ts';

const MACHINE = { clock: systemClock, random: systemRandom };
const warn = () => {};

describe.each(['pessimistic', 'optimistic'] as const)('with %s transactions,', (concurrency) => {
  const makeServer = () => {
    const later: ServerOptions['later'] = (ms, run) => void setTimeout(run, ms).unref();
    return new SimulatedServer({ concurrency, nowMicros: () => Date.now() * 1000, later });
  };
  const openOne = (server = makeServer()) => openSimulated(server, directNetwork);
  const connect = (server: SimulatedServer) =>
    firestoreConnection({ googleProject: 'p', database: 'd' }, { connect: async () => openOne(server) });

  databaseContract('the simulated Firestore', async () => {
    const server = makeServer();
    return { one: openOne(server), other: openOne(server) };
  });

  const server = makeServer();
  let keys = 0;
  cacheStoreContract(
    'the simulated Firestore',
    () => ({
      store: firestoreCacheStore(async () => openOne(server), MACHINE),
      other: firestoreCacheStore(async () => openOne(server), MACHINE),
    }),
    () => `key ${++keys}`,
  );

  demandLogContract('the simulated Firestore', async () => {
    const own = makeServer();
    const openProcess = () => {
      const opened = openOne(own);
      const deps = { ...MACHINE, open: async () => opened, warn, setsPerToken: SETS_PER_TOKEN };
      return processOver(firestoreDemandLog(deps));
    };
    return { processes: [openProcess(), openProcess()], age: (seconds) => ageSets(openOne(own), seconds) };
  });

  locksContract('the simulated Firestore', async () => {
    const opened = openOne();
    return firestoreLocks({ ...MACHINE, open: async () => opened, warn });
  });

  tokenRegistryContract('the simulated Firestore', async () => {
    const own = makeServer();
    return {
      registry: firestoreTokenRegistry(connect(own)),
      store: firestoreTokenStore(connect(own)),
      another: () => firestoreTokenRegistry(connect(own)),
      close: async () => {},
    };
  });
});
