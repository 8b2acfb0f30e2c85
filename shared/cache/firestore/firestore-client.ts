import type { Firestore } from '@google-cloud/firestore';

/** Gives the client, loaded and made for the first who asks. */
export type OpenFirestore = () => Promise<Firestore>;

export interface FirestoreOptions {
  /** The Google Cloud project. */
  readonly projectId: string;
  readonly databaseId: string;
}

/** After a failure the connection is tried again at least this often, so that a Firestore that is back is found soon. */
const LONGEST_RECONNECT_MS = 5000;

/**
 * Makes the way to one Firestore database. Nothing is imported before it is first gone: the client takes a third of
 * a second to load. It speaks gRPC: REST starts no faster and takes six times as long for a large document.
 */
export function lazyFirestore(options: FirestoreOptions): OpenFirestore & { close(): Promise<void> } {
  let opened: Promise<Firestore> | null = null;
  const open = () => {
    opened ??= openFirestore(options).catch((error: unknown) => {
      opened = null;
      throw error;
    });
    return opened;
  };
  return Object.assign(open, {
    close: async () => {
      const client = await opened?.catch(() => null);
      await client?.terminate();
    },
  });
}

async function openFirestore({ projectId, databaseId }: FirestoreOptions): Promise<Firestore> {
  const { Firestore } = await import('@google-cloud/firestore');
  return new Firestore({
    projectId,
    databaseId,
    'grpc.initial_reconnect_backoff_ms': 200,
    'grpc.max_reconnect_backoff_ms': LONGEST_RECONNECT_MS,
  });
}
