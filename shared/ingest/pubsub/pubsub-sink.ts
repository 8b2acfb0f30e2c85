import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../errors/service-error.ts';
import type { TableSchemas } from '../../schema/table-schema.ts';
import type { LogSink } from '../log-sink.ts';
import { messageWriter } from './message-writer.ts';
import { PublishFailure, type PubSubApi } from './pubsub-api.ts';

export interface PubSubSinkOptions {
  readonly api: PubSubApi;
  readonly schemas: TableSchemas;
  /** What a source's topic is called before the source's name. */
  readonly topicPrefix: string;
  nowMicros(): bigint;
  /** How long an entry may take until it is published, in ms. */
  readonly deadlineMs?: number;
  /** How long to wait before the next attempt, in ms, when so many have failed. */
  readonly delayMs?: (failed: number) => number;
}

/** Pub/Sub's limits for one call (https://cloud.google.com/pubsub/quotas#resource_limits): 1,000 messages, 10 MB in all. */
const MOST_MESSAGES = 1_000;
const MOST_BYTES = 7_000_000;
/** Beside a message's data: its place in the call. */
const BYTES_BESIDE = 20;

const DEADLINE_MS = 20_000;
const MAX_ATTEMPTS = 4;

/**
 * Checks entries and publishes each as a message of its source's topic; a subscription writes them into the table. Resolves
 * when Pub/Sub has stored all of them. A batch that needs several calls may be published in part when one of these fails; the
 * caller sends it again then, and delivery is at least once.
 */
export function makePubSubSink(options: PubSubSinkOptions): LogSink {
  const { api, schemas, topicPrefix, nowMicros, deadlineMs = DEADLINE_MS, delayMs = doubled } = options;
  const writers = new Map([...schemas].map(([source, schema]) => [source, messageWriter(schema, nowMicros)]));

  async function publish(topic: string, messages: readonly string[], signal: AbortSignal): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await api.publish(topic, messages, signal);
        return;
      } catch (error) {
        const isFinal = !(error instanceof PublishFailure) || !error.isTransient || attempt >= MAX_ATTEMPTS;
        if (isFinal) throw error;
      }
      await sleep(delayMs(attempt), undefined, { signal });
    }
  }

  return {
    async append(source, entries) {
      const write = writers.get(source);
      if (write === undefined) throw new ServiceError('invalid_argument', 'There is no such source.');
      const messages = entries.map(write);
      const signal = AbortSignal.timeout(deadlineMs);
      try {
        for (const part of partsOf(messages)) await publish(topicPrefix + source, part, signal);
      } catch (cause) {
        throw new ServiceError(
          'unavailable',
          'The entries cannot be stored at the moment; send them again.',
          { cause },
        );
      }
      return { taken: entries.length, duplicates: 0 };
    },
  };
}

/** The messages in as few calls as the limits allow. */
function partsOf(messages: readonly string[]): readonly (readonly string[])[] {
  const parts: string[][] = [];
  let bytes = 0;
  for (const message of messages) {
    const length = Buffer.byteLength(message) + BYTES_BESIDE;
    const last = parts.at(-1);
    if (last === undefined || last.length >= MOST_MESSAGES || bytes + length > MOST_BYTES) {
      parts.push([message]);
      bytes = length;
    } else {
      last.push(message);
      bytes += length;
    }
  }
  return parts;
}

/** Twice as long each time, by half at random, so that many callers do not come back together. */
function doubled(failed: number): number {
  return 200 * 2 ** failed * (0.5 + Math.random() / 2);
}
