import { answerOf, requestOf } from '../../../shared/cache/support/answers.ts';
import { startInstance } from './instance.ts';

/** An instance that is asked several times at once for an answer nobody has, when told to; tells what it gave. */
const [, , host = '', key = '', callers = '', queryMs = ''] = process.argv;
let queries = 0;

// Eight processes on two processors are slow to start; what Firestore may cost in time is not the question here.
const limits = {
  firstCallMs: 60_000,
  readMs: 10_000,
  writeWaitMs: 10_000,
  leaseMs: 30_000,
  leaseWaitMs: 60_000,
};
const { cache, warnings } = await startInstance(host, { limits });
const request = requestOf(async () => {
  queries += 1;
  await new Promise((resolve) => setTimeout(resolve, Number(queryMs)));
  return answerOf(`${process.pid}-${queries}`);
});

process.on('message', async () => {
  const asking = Array.from({ length: Number(callers) }, () => cache.answer(key, request));
  const rows = (await Promise.all(asking)).map(({ entry }) => entry.answer.rows.join());
  process.send?.({ queries, rows, warnings });
});
process.send?.('ready');
