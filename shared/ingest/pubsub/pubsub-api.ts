import { lazy } from '../../concurrency/lazy.ts';

/** A message as it is published: the bytes of its data. */
export type MessageData = string;

/** Pub/Sub's REST API, as far as publishing needs it. */
export interface PubSubApi {
  /** Publishes messages; resolves when Pub/Sub has stored them all. Throws a PublishFailure, or what the signal was aborted with. */
  publish(topic: string, messages: readonly MessageData[], signal: AbortSignal): Promise<void>;
}

/** A call that did not succeed; what it holds is for the operator. */
export class PublishFailure extends Error {
  /** The HTTP status; null when no answer came. */
  readonly status: number | null;

  constructor(status: number | null, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.name = 'PublishFailure';
    this.status = status;
  }

  /** Whether the same call may succeed when it is made again. */
  get isTransient(): boolean {
    return this.status === null || this.status === 429 || this.status >= 500;
  }
}

export interface PubSubApiOptions {
  readonly project: string;
  /** `host:port` of the emulator, which needs no credentials; null for Google's own service. */
  readonly emulatorHost: string | null;
}

const SCOPE = 'https://www.googleapis.com/auth/pubsub';
const MOST_OF_AN_ANSWER = 500;

/**
 * The API over HTTP, with Google's library for credentials alone: its client for Pub/Sub brings gRPC, and batching and
 * subscribing, which a function that publishes what it has at hand does not need.
 */
export function makePubSubApi({ project, emulatorHost }: PubSubApiOptions): PubSubApi {
  const base = emulatorHost === null ? 'https://pubsub.googleapis.com' : `http://${emulatorHost}`;
  const client = lazy(async () => {
    const { GoogleAuth } = await import('google-auth-library');
    return new GoogleAuth({ scopes: SCOPE });
  });

  async function authorization(url: string): Promise<Headers> {
    if (emulatorHost !== null) return new Headers();
    try {
      return await (await client()).getRequestHeaders(url);
    } catch (cause) {
      throw new PublishFailure(null, 'The credentials for Pub/Sub cannot be had', { cause });
    }
  }

  return {
    async publish(topic, messages, signal) {
      const url = `${base}/v1/projects/${encodeURIComponent(project)}/topics/${encodeURIComponent(topic)}:publish`;
      const headers = await authorization(url);
      headers.set('Content-Type', 'application/json');
      const data = messages.map((message) => `{"data":"${Buffer.from(message).toString('base64')}"}`);
      const request: RequestInit = {
        method: 'POST',
        headers,
        body: `{"messages":[${data.join(',')}]}`,
        signal,
      };
      const { status, text } = await exchange(url, { ...request, redirect: 'error' });
      if (status === 200 && idsIn(text) === messages.length) return;
      const answer = text.slice(0, MOST_OF_AN_ANSWER);
      throw new PublishFailure(
        status === 200 ? null : status,
        `Pub/Sub answered ${status} for ${topic}: ${answer}`,
      );
    },
  };
}

async function exchange(url: string, request: RequestInit): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(url, request);
    return { status: response.status, text: await response.text() };
  } catch (cause) {
    if (request.signal?.aborted) throw request.signal.reason;
    throw new PublishFailure(null, 'Pub/Sub did not answer, or not to the end', { cause });
  }
}

/** How many messages an answer says that were stored. */
function idsIn(text: string): number {
  try {
    const { messageIds } = JSON.parse(text) as { readonly messageIds?: unknown };
    return Array.isArray(messageIds) ? messageIds.length : 0;
  } catch {
    return 0;
  }
}
