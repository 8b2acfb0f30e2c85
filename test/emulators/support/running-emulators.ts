import type { Emulator } from './emulator.ts';

/** What global-setup started, for global-teardown to stop; both run in Jest's own process. */
export const runningEmulators: Emulator[] = [];
