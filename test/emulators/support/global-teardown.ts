import { runningEmulators } from './running-emulators.ts';

/** Stops what global-setup started. */
// biome-ignore lint/style/noDefaultExport: Jest calls the default export.
export default async function stopEmulators(): Promise<void> {
  await Promise.all(runningEmulators.map((emulator) => emulator.stop()));
}
