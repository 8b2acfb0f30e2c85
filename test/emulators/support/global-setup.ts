import { startBigQueryEmulator } from './bigquery-emulator.ts';
import { startFirestoreEmulator } from './firestore-emulator.ts';
import { startPubSubEmulator } from './pubsub-emulator.ts';
import { runningEmulators } from './running-emulators.ts';

/** Each emulator with the variable that tells the Google client, and so the suites, where it is. */
const EMULATORS = [
  { variable: 'FIRESTORE_EMULATOR_HOST', start: startFirestoreEmulator },
  { variable: 'BIGQUERY_EMULATOR_HOST', start: startBigQueryEmulator },
  { variable: 'PUBSUB_EMULATOR_HOST', start: startPubSubEmulator },
] as const;

/** Google's clients need not look for the metadata server of a machine in the cloud, which takes seconds. */
const OFF_CLOUD = { METADATA_SERVER_DETECTION: 'none' };

/** Starts all emulators at once; the processes that run the suites inherit the variables. */
// biome-ignore lint/style/noDefaultExport: Jest calls the default export.
export default async function startEmulators(): Promise<void> {
  Object.assign(process.env, OFF_CLOUD);
  const starting = EMULATORS.map(async ({ variable, start }) => {
    const emulator = await start();
    runningEmulators.push(emulator);
    process.env[variable] = emulator.host;
  });
  const results = await Promise.allSettled(starting);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed === undefined) return;
  await Promise.all(runningEmulators.map((emulator) => emulator.stop()));
  throw failed.reason;
}
