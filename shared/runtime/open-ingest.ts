import { randomUUID } from 'node:crypto';
import { lazy } from '../concurrency/lazy.ts';
import type { Ingest } from '../http/ingest/ingest-handler.ts';
import type { LogSink } from '../ingest/log-sink.ts';
import type { Config } from './config.ts';
import type { Definitions } from './definitions.ts';

/** What received entries are checked against, and the warehouse that may take them. */
export interface IngestParts extends Pick<Definitions, 'schemas' | 'sourceNames'> {
  /** The warehouse's way in; null where it has none. */
  readonly logSink: LogSink | null;
  nowMicros(): bigint;
}

/**
 * Where received entries go: to Pub/Sub where topics are configured, else into the warehouse; null where nothing takes
 * them.
 */
export function openIngest(
  config: Pick<
    Config,
    'defaultProject' | 'ingestTopics' | 'googleProject' | 'pubsubEmulatorHost' | 'logTables'
  >,
  { schemas, sourceNames, logSink, nowMicros }: IngestParts,
): Ingest | null {
  // Tables in places of their own belong to others, and have no topic.
  const written = new Map([...schemas].filter(([source]) => !config.logTables.has(source)));
  const { ingestTopics: topicPrefix, googleProject: project, pubsubEmulatorHost: emulatorHost } = config;
  const { defaultProject } = config;
  const received = { defaultProject, schemas, sourceNames, nowMicros, newId: randomUUID };
  if (topicPrefix === null || project === null)
    return logSink === null ? null : { ...received, sink: logSink };
  const open = lazy(async (): Promise<LogSink> => {
    const [{ makePubSubApi }, { makePubSubSink }] = await Promise.all([
      import('../ingest/pubsub/pubsub-api.ts'),
      import('../ingest/pubsub/pubsub-sink.ts'),
    ]);
    return makePubSubSink({
      api: makePubSubApi({ project, emulatorHost }),
      schemas: written,
      topicPrefix,
      nowMicros,
    });
  });
  const sink: LogSink = { append: async (source, entries) => (await open()).append(source, entries) };
  return { ...received, schemas: written, sink };
}
