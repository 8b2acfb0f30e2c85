import { z } from 'zod';
import type { ServiceAddress } from './address.ts';
import { CATALOGUE_PATH, getFrom, parseJson } from './get.ts';

const clock = z.object({ nowMicros: z.int().min(-8.64e15).max(8.64e15) });

/**
 * What the service takes for the present, in ms since the epoch: the clock that `--now` sets, where its catalogue is
 * served; else its machine's, which the header Date has. Throws a QueryError where nothing answers.
 */
export async function serviceNowMs(address: ServiceAddress): Promise<number> {
  const { status, text, dateMs } = await getFrom(address, CATALOGUE_PATH);
  const parsed = clock.safeParse(status === 200 ? parseJson(text) : null);
  return parsed.success ? Math.floor(parsed.data.nowMicros / 1000) : (dateMs ?? Date.now());
}
