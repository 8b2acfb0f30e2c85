import { LiveReader } from '../../../../../../shared/warehouse/duckdb/live/live-reader.ts';
import { openLiveStore } from '../../../../../../shared/warehouse/duckdb/live/live-store.ts';
import { loadedParts } from '../../../../../../shared/warehouse/duckdb/live/loaded-parts.ts';
import { loadEntries } from '../../../../../../shared/warehouse/duckdb/loading/load-logs.ts';
import { openStore } from '../../../../../../shared/warehouse/duckdb/store/open-store.ts';
import {
  hasLogs,
  readLayouts,
  readStoredSchemas,
} from '../../../../../../shared/warehouse/duckdb/store/stored-schemas.ts';
import { CONTRACT_TABLES } from '../../../contract/contract-logs.ts';

/*
 * A process that appends batches of five entries until it is killed, and writes the name of each batch that was taken. Files are
 * sealed and merged all the time.
 */

const [databaseFile = '', run = ''] = process.argv.slice(2);
const store = await openStore({
  databaseFile,
  memoryLimitMiB: 128,
  threads: 1,
  access: 'shared',
  takesEntries: true,
});
if (!(await hasLogs(store))) {
  await loadEntries({ store, schemas: CONTRACT_TABLES, source: 'edge_logs', lines: [] });
}
await store.lock();
const layouts = await readLayouts(store);
const live = await openLiveStore({
  store,
  reader: new LiveReader(store),
  loaded: loadedParts(await readStoredSchemas(store), layouts, CONTRACT_TABLES),
  retentionMicros: null,
  nowMicros: () => 0n,
  limits: { sealEntries: 20, mergeCount: 2, mostWaiting: 1_000 },
  warn: (message) => process.stderr.write(`${message}\n`),
});
process.stdout.write('open\n');

async function appendBatches(lane: number): Promise<void> {
  for (let batch = 0; ; batch += 1) {
    const name = `${run}-${lane}-${batch}`;
    const entries = [0, 1, 2, 3, 4].map((index) =>
      JSON.stringify({
        id: `${name}-${index}`,
        timestamp: 1_700_000_000_000_000 + ((batch * 7919) % 100_000),
        event_message: name,
        metadata:
          index === 4 ? [{ level: 'a' }, { level: 'b' }] : [{ level: 'a', [`field${batch % 3}`]: batch }],
      }),
    );
    await live.append('edge_logs', entries);
    process.stdout.write(`${name}\n`);
  }
}

await Promise.all([0, 1, 2].map(appendBatches));
