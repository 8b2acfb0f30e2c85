import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { CONTRACT_TABLES } from '../../../contract/contract-logs.ts';
import { openLive } from './open-live.ts';

/*
 * A process that takes entries and puts them into segments whenever a line arrives, and reports what it has then. Who started it
 * decides how large its files may grow meanwhile.
 */

const [databaseFile = '', logs = ''] = process.argv.slice(2);
/** A file of records has so many entries, of about 2 KB each that no one can compress. */
const SEAL_ENTRIES = 150;

const { live, ask, close, warnings } = await openLive({
  schemas: CONTRACT_TABLES,
  logs,
  databaseFile,
  limits: { sealEntries: SEAL_ENTRIES, mergeCount: 2 },
});

let last = 0;
let reported = 0;

function batch(count: number): readonly string[] {
  return Array.from({ length: count }, () => {
    last += 1;
    const event_message = randomBytes(1_500).toString('base64');
    return JSON.stringify({ id: `n${last}`, timestamp: last, event_message });
  });
}

async function reportAll(): Promise<void> {
  const names = readdirSync(`${databaseFile}.live`)
    .filter((name) => /^(?:records|segment)/.test(name))
    .map((name) => name.replace(/-\d+\./, '-n.'));
  const rows = await ask('SELECT COUNT(*) AS n, COUNT(DISTINCT id) AS ids FROM logs.edge_logs');
  const report = { rows, names: names.sort(), warnings: warnings.slice(reported) };
  reported = warnings.length;
  process.stdout.write(`${JSON.stringify(report)}\n`);
}

process.stdout.write('"open"\n');
for (;;) {
  const [line] = await once(process.stdin, 'data');
  if (String(line).startsWith('close')) break;
  await live.append('edge_logs', batch(SEAL_ENTRIES));
  // The file of records is full, and the next batch begins another.
  await live.append('edge_logs', batch(1));
  await live.settle();
  await reportAll();
}
await close();
process.exit();
