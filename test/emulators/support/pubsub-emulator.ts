import { freePort } from '../../support/free-port.ts';
import { type Emulator, startProcess } from './emulator.ts';

/** Starts Google's Pub/Sub emulator (`gcloud emulators pubsub`, in need of Java), empty, on a free port. */
export async function startPubSubEmulator(): Promise<Emulator> {
  const host = `127.0.0.1:${await freePort()}`;
  const { stop } = await startProcess(
    'gcloud',
    ['beta', 'emulators', 'pubsub', 'start', `--host-port=${host}`, '--quiet'],
    {
      ready: /Server started, listening on/,
      deadlineMs: 180_000,
      env: { JAVA_TOOL_OPTIONS: '-Xmx256m' },
    },
  );
  return { host, stop };
}
