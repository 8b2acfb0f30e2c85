import { z } from 'zod';
import { QueryError } from '../../client/client.js';
import type { ServiceAddress } from './address.ts';

/** What a service answered to a GET. */
export interface GetAnswer {
  readonly status: number;
  /** Empty where the answer is longer than anything that is read here. */
  readonly text: string;
  /** The time of the answer by its server, in ms since the epoch; null where it names none. */
  readonly dateMs: number | null;
}

/** What a token may ask for, and what the service takes for the present; deployments may be without it. */
export const CATALOGUE_PATH = 'explorer/catalogue.json';

const MAX_CHARACTERS = 16 * 1024 * 1024;
const DEADLINE_MS = 30_000;

/** Gets a path below the service's address. Throws a QueryError where nothing answers in time. */
export async function getFrom({ baseUrl, token }: ServiceAddress, path: string): Promise<GetAnswer> {
  const base = new URL(baseUrl);
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  try {
    const response = await fetch(new URL(path, base), {
      headers: { 'X-API-KEY': token },
      redirect: 'manual',
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    const text = await response.text();
    const date = Date.parse(response.headers.get('date') ?? '');
    return {
      status: response.status,
      text: text.length > MAX_CHARACTERS ? '' : text,
      dateMs: Number.isNaN(date) ? null : date,
    };
  } catch (cause) {
    throw new QueryError(
      `The service at ${base.origin} cannot be reached; check the address and the network.`,
      { code: 0, status: 'UNREACHABLE', cause },
    );
  }
}

/** What a JSON text says; null where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** What is thrown when something else than the service has answered. */
export function unexpectedService(): QueryError {
  return new QueryError('The answer does not come from this service; check --url.', {
    code: 200,
    status: 'UNKNOWN',
  });
}

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
