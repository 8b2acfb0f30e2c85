import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import { cachingTokenStore } from '../../../shared/access/caching-token-store.ts';
import { firestoreTokenRegistry } from '../../../shared/access/firestore/firestore-token-registry.ts';
import { firestoreTokenStore } from '../../../shared/access/firestore/firestore-token-store.ts';
import type { TokenStore } from '../../../shared/access/token-store.ts';
import type { FirestoreConnection } from '../../../shared/firestore/firestore-connection.ts';
import { makeToken } from '../../shared/access/support/token-registry-contract.ts';
import { manualClock } from '../../shared/cache/support/manual-clock.ts';
import { startFirestoreEmulator } from '../support/firestore-emulator.ts';
import { connectTo, newProject } from './support/firestore-project.ts';

const DEADLINE_MS = 60_000;
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A connection to another emulator than the one of the suites. */
function connectAt(host: string): FirestoreConnection {
  process.env.FIRESTORE_EMULATOR_HOST = host;
  const connection = connectTo(newProject());
  closing.push(() => connection.close());
  return connection;
}

/** Takes connections and never says a word. */
async function silentServer(): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket.on('error', () => {}))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const refused = (store: TokenStore, digest: string) =>
  expect(store.find(digest)).rejects.toMatchObject({
    code: 503,
    message: 'Access tokens cannot be checked at the moment; try again later.',
    cause: expect.objectContaining({ message: expect.stringContaining('cannot be used: ') }),
  });

describe('a Firestore that fails', () => {
  it('answers 503 to unknown tokens while it is down, serves known ones for 60 seconds, and recovers', async () => {
    const first = await startFirestoreEmulator();
    closing.push(first.stop);
    const connection = connectAt(first.host);
    const registry = firestoreTokenRegistry(connection, DEADLINE_MS);
    const clock = manualClock();
    const [known, other] = [makeToken('known'), makeToken('other')];
    await registry.add(known);
    const store = cachingTokenStore(firestoreTokenStore(connection, DEADLINE_MS), { clock });
    const impatient = cachingTokenStore(firestoreTokenStore(connection, 500), { clock });
    for (const one of [store, impatient]) expect(await one.find(known.digest)).toEqual(known);

    await first.stop();
    expect(await impatient.find(known.digest)).toEqual(known);
    await refused(impatient, other.digest);
    await clock.advance(60_000);
    await refused(impatient, known.digest);

    // An emulator keeps nothing when it stops, so the token is added again.
    const second = await startFirestoreEmulator(first.port);
    closing.push(second.stop);
    expect(await registry.add(known)).toBe('added');
    expect(await store.find(known.digest)).toEqual(known);
    expect(await store.find(other.digest)).toBeNull();
  });

  it('is given up after the deadline when it says nothing, and does not keep its process from closing', async () => {
    // In its own process, for the client goes on with what was given up.
    const script = `
      import { firestoreConnection } from '${code('firestore/firestore-connection.ts')}';
      import { firestoreTokenRegistry } from '${code('access/firestore/firestore-token-registry.ts')}';
      import { firestoreTokenStore } from '${code('access/firestore/firestore-token-store.ts')}';
      const connection = firestoreConnection({ googleProject: 'demo-silent', database: '(default)' });
      const said = async (call) => { try { return await call; } catch (error) { return [error.code, error.message]; } };
      const found = await said(firestoreTokenStore(connection, 200).find('0'.repeat(64)));
      const listed = await said(firestoreTokenRegistry(connection, 200).list());
      await connection.close();
      await connection.close();
      process.stdout.write(JSON.stringify({ found, listed }), () => process.exit(0));`;
    const env = { ...process.env, FIRESTORE_EMULATOR_HOST: await silentServer() };
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      env,
    });
    expect(JSON.parse(stdout)).toEqual({
      found: [503, 'Access tokens cannot be checked at the moment; try again later.'],
      listed: [503, expect.stringContaining('cannot be used: it gave no answer in time')],
    });
  });
});

function code(path: string): string {
  return new URL(`../../../shared/${path}`, import.meta.url).href;
}
