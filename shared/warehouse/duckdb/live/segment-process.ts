import { setNiceness } from '../isolated/niceness.ts';
import { serveParent } from '../isolated/serve-parent.ts';
import { SegmentEngine } from './segment-engine.ts';
import type { SegmentOrder, SegmentReport } from './segment-messages.ts';

/*
 * A process that writes segments, one at a time. The service starts it with an IPC channel, sends an order, waits for the
 * report, and may kill it at any time: only the service gives a segment its name.
 */

let engine: SegmentEngine | null = null;

serveParent();
// Queries and entries that arrive come first. Threads that are started from here on have the same niceness.
setNiceness(process.pid, 'usual');

process.on('message', ({ folders, content, path }: SegmentOrder) => {
  engine ??= new SegmentEngine(folders);
  engine.write(content, path).then(
    (tables) => report({ kind: 'written', tables }),
    (error: unknown) =>
      report({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) }),
  );
});

function report(message: SegmentReport): void {
  // It fails only when the service is gone; this process then ends by itself.
  process.send?.(message, undefined, undefined, () => {});
}
