import { once } from 'node:events';
import { ServiceError } from '../../../../../../shared/errors/service-error.ts';
import { CONTRACT_TABLES } from '../../../contract/contract-logs.ts';
import { openLive } from './open-live.ts';

/*
 * A process whose files may not grow beyond some size. It appends batches until one is refused, reports what it was told and what
 * it reads, and goes on when a line arrives, which says that files may grow again.
 */

const [databaseFile = '', logs = '', firstEntries = ''] = process.argv.slice(2);
const { live, ask, close, warnings } = await openLive({
  schemas: CONTRACT_TABLES,
  logs,
  databaseFile,
  // Nothing is sealed: what does not fit is a file of records.
  limits: { sealEntries: 1_000_000, sealBytes: 1024 * 1024 * 1024 },
});

const ENTRIES = 20;
let last = 0;

async function append(count = ENTRIES): Promise<object> {
  last += 1;
  const batch = `batch ${last}`;
  const entries = Array.from({ length: count }, (_, index) =>
    JSON.stringify({ id: `${batch}, ${index}`, timestamp: last, event_message: batch.padEnd(2_000, 'x') }),
  );
  try {
    return await live.append('edge_logs', entries);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { kind: error.kind, message: error.message };
  }
}

const counted = () => ask('SELECT COUNT(*) AS n, COUNT(DISTINCT id) AS ids FROM logs.edge_logs');
const report = (what: object) => process.stdout.write(`${JSON.stringify(what)}\n`);

let answer = await append(Number(firstEntries));
let taken = 0;
for (; 'taken' in answer; answer = await append()) taken += ENTRIES;
report({ taken, refusal: answer, again: await append(), rows: await counted() });
await once(process.stdin, 'data');
report({ after: await append(), rows: await counted() });
await close();
report({ warnings });
process.exit();
