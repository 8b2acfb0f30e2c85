import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AccessToken } from '../../access/access-token.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { LogSink } from '../../ingest/log-sink.ts';
import { entryNormalizer } from '../../ingest/normalize-entry.ts';
import { isOtlpRequest } from '../../ingest/otlp/otlp-entries.ts';
import { readEntries } from '../../ingest/read-entries.ts';
import type { SourceNames } from '../../schema/load-source-names.ts';
import type { TableSchemas } from '../../schema/table-schema.ts';
import type { HttpDeps, RouteDeps } from '../http-deps.ts';
import { makeAdmit } from '../request/admit.ts';
import { parseUrlParameters } from '../request/url-parameters.ts';
import { type HttpHandler, jsonReply, type Reply } from '../response/reply.ts';
import { type Exchange, makeRoute } from '../server/route.ts';
import { INGEST_LIMITS, type IngestLimits } from './ingest-limits.ts';
import { makeIngestTurns } from './ingest-turns.ts';
import { readEntryBody } from './read-entry-body.ts';
import { requestedSource } from './requested-source.ts';

export const INGEST_ROUTE = '/api/logs';

/** Where received entries go. */
export interface Ingest {
  readonly sink: LogSink;
  /** The tables that entries are written to, as they were declared. */
  readonly schemas: TableSchemas;
  readonly sourceNames: SourceNames;
  /** The project of entries that name none, where their token may write any; null leaves them without. */
  readonly defaultProject: string | null;
  /** The time of entries that come without one, in microseconds since the epoch. */
  nowMicros(): bigint;
  /** The id of entries that come without one. */
  newId(): string;
}

export interface IngestDeps extends RouteDeps, Pick<HttpDeps, 'tokens' | 'limiter' | 'wallClockMs'> {
  /** Null where the service takes no entries. */
  readonly ingest: Ingest | null;
}

/** Entries after which other requests have their turn: a millisecond of work or two. */
const ENTRIES_AT_ONCE = 128;

/** What Logflare's receiver answers; its clients may look for it. */
const MESSAGE = 'Logged!';

/**
 * The handler of `POST /api/logs?source=…`, which answers `{"message","taken","duplicates"}` when all entries of the body are
 * durable, and `{}` where they came as OTLP. It takes all of them or none.
 */
export function makeIngestHandler(deps: IngestDeps, limits: IngestLimits = INGEST_LIMITS): HttpHandler {
  const admit = makeAdmit(deps, 'write');
  const turns = makeIngestTurns(limits);

  async function answer(exchange: Exchange): Promise<Reply> {
    const token = await admit(exchange);
    const { ingest } = deps;
    if (ingest === null) {
      throw new ServiceError(
        'not_found',
        'This service takes no entries; send them where it reads its logs from.',
      );
    }
    const source = requestedSource(parseUrlParameters(exchange.target.query), token, ingest);
    exchange.notes.source = source;
    const endTurn = turns.begin(token.digest);
    try {
      return await take(ingest, source, token, exchange);
    } finally {
      endTurn();
    }
  }

  async function take(
    ingest: Ingest,
    source: string,
    { projects }: AccessToken,
    { req, timing, notes }: Exchange,
  ): Promise<Reply> {
    const text = await readEntryBody(req, limits);
    const normalize = entryNormalizer({ ...ingest, schema: ingest.schemas.get(source) ?? [], projects });
    const entries = await mapInTurns(readEntries(text), normalize);
    timing.end('bind');
    const none = { taken: 0, duplicates: 0 };
    const { taken, duplicates } = entries.length === 0 ? none : await ingest.sink.append(source, entries);
    timing.end('store');
    notes.taken = taken;
    // What OTLP's clients parse: an ExportLogsServiceResponse that rejects nothing.
    const answer = isOtlpRequest(text) ? {} : { message: MESSAGE, taken, duplicates };
    const body = Buffer.from(JSON.stringify(answer));
    return jsonReply(200, body, ['Vary', 'X-API-KEY, Authorization']);
  }

  return makeRoute(deps, { methods: ['POST'], limits }, answer);
}

async function mapInTurns(
  texts: readonly string[],
  map: (text: string, index: number) => string,
): Promise<readonly string[]> {
  const mapped: string[] = [];
  for (const [index, text] of texts.entries()) {
    if (index > 0 && index % ENTRIES_AT_ONCE === 0) await nextTurn();
    mapped.push(map(text, index));
  }
  return mapped;
}
