import { freePort } from '../../support/free-port.ts';
import { type Emulator, startProcess } from './emulator.ts';

/**
 * Starts Google's Firestore emulator (`gcloud emulators firestore`, in need of Java), empty, on a free port, or on
 * the one given, as after a restart. It keeps nothing when it stops.
 */
export async function startFirestoreEmulator(port?: number): Promise<Emulator & { readonly port: number }> {
  const chosen = port ?? (await freePort());
  const host = `127.0.0.1:${chosen}`;
  const { stop } = await startProcess(
    'gcloud',
    ['emulators', 'firestore', 'start', `--host-port=${host}`, '--quiet'],
    { ready: /Dev App Server is now running/, deadlineMs: 180_000, env: { JAVA_TOOL_OPTIONS: '-Xmx512m' } },
  );
  return { host, port: chosen, stop };
}
