import { largeAnswer, requestOf } from '../../../shared/cache/support/answers.ts';
import { startInstance } from './instance.ts';

/** A process that writes an answer of several documents, anew each time, until it is killed. */
const [, , host = '', key = ''] = process.argv;
const { cache } = await startInstance(host);
process.send?.('ready');
for (;;) {
  const request = requestOf(async () => largeAnswer(3_000_000), { refresh: true });
  await cache.answer(key, request);
  await cache.settle();
}
