import { randomUUID } from 'node:crypto';
import { lazy } from '../concurrency/lazy.ts';
import type { Ingest } from '../http/ingest/ingest-handler.ts';
import type { LogSink } from '../ingest/log-sink.ts';
import { MICROS_PER_MS } from '../time/units.ts';
import type { Config } from './config.ts';
import type { Definitions } from './definitions.ts';

/** Where received entries go: to Pub/Sub where topics are configured; null where nothing takes them. */
export function openIngest(
  config: Pick<Config, 'ingestTopics' | 'googleProject' | 'pubsubEmulatorHost'>,
  { schemas, sourceNames }: Pick<Definitions, 'schemas' | 'sourceNames'>,
): Ingest | null {
  const { ingestTopics: topicPrefix, googleProject: project, pubsubEmulatorHost: emulatorHost } = config;
  if (topicPrefix === null || project === null) return null;
  const open = lazy(async (): Promise<LogSink> => {
    const [{ makePubSubApi }, { makePubSubSink }] = await Promise.all([
      import('../ingest/pubsub/pubsub-api.ts'),
      import('../ingest/pubsub/pubsub-sink.ts'),
    ]);
    return makePubSubSink({ api: makePubSubApi({ project, emulatorHost }), schemas, topicPrefix, nowMicros });
  });
  const sink: LogSink = { append: async (source, entries) => (await open()).append(source, entries) };
  return { sink, schemas, sourceNames, nowMicros, newId: randomUUID };
}

/** Entries are of now, whatever time queries take for the present. */
function nowMicros(): bigint {
  return BigInt(Date.now()) * MICROS_PER_MS;
}
