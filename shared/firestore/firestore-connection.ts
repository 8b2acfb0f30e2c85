import type { FieldValue, Firestore, Timestamp } from '@google-cloud/firestore';
import { type Clock, systemClock } from '../concurrency/clock.ts';
import { lazy } from '../concurrency/lazy.ts';
import { within } from '../concurrency/within.ts';
import { type FirestoreAddress, firestoreFailure } from './firestore-failure.ts';

/** The client, and the makers of its value types. */
export interface OpenDatabase {
  readonly database: Firestore;
  readonly timestamps: Pick<typeof Timestamp, 'fromMillis'>;
  readonly fieldValues: Pick<typeof FieldValue, 'increment' | 'serverTimestamp'>;
}

/** A database that is connected to when it is first used. */
export interface FirestoreConnection {
  /** The client itself, for callers that set their own deadlines. Throws what importing it throws. */
  open(): Promise<OpenDatabase>;
  /**
   * Makes a call and waits for it no longer than this; what it answers later is dropped. Throws a ServiceError whose
   * message is for the operator: the call's own, or unavailable.
   */
  call<T>(deadlineMs: number, make: (open: OpenDatabase) => Promise<T>): Promise<T>;
  /** Frees the connection unless a `call` is under way on it; waits for others two seconds. Never throws. */
  close(): Promise<void>;
}

export interface FirestoreConnectionOptions {
  /**
   * Whether to look for Google credentials before the first call, as an emulator does not need them. A call without
   * any would end the process: the client leaves a rejected promise behind.
   */
  readonly checkCredentials?: boolean;
  /** Measures the deadlines; the machine's own unless given. */
  readonly clock?: Clock;
  /** Makes the client; Google's unless given. */
  readonly connect?: () => Promise<OpenDatabase>;
}

const CLOSE_MS = 2_000;

/** A lost connection is noticed and opened again within a minute; the client alone would take some minutes. */
const RECOVERY = {
  'grpc.initial_reconnect_backoff_ms': 200,
  'grpc.max_reconnect_backoff_ms': 5_000,
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 10_000,
};

/**
 * Connects with the machine's own Google credentials: the service account of a function, or what `gcloud auth
 * application-default login` leaves on a laptop. FIRESTORE_EMULATOR_HOST leads to an emulator instead.
 */
export function firestoreConnection(
  address: FirestoreAddress,
  options: FirestoreConnectionOptions = {},
): FirestoreConnection {
  const { clock = systemClock, checkCredentials = false } = options;
  const connect = options.connect ?? (() => connectToGoogle(address, checkCredentials));
  const open = lazy(connect);
  let underWay = 0;

  async function counted<T>(make: (open: OpenDatabase) => Promise<T>): Promise<T> {
    underWay += 1;
    try {
      return await make(await open());
    } finally {
      underWay -= 1;
    }
  }

  return {
    open,
    async call(deadlineMs, make) {
      try {
        return await within(clock, deadlineMs, () => counted(make));
      } catch (error) {
        throw firestoreFailure(address, error);
      }
    },
    async close() {
      // The client would wait for the calls without end, and what they try again would end the process.
      const opened = open.made();
      if (opened === undefined || underWay > 0) return;
      try {
        const { database } = await opened;
        await within(clock, CLOSE_MS, () => database.terminate());
      } catch {
        // It never was connected, or does not end.
      }
    },
  };
}

async function connectToGoogle(address: FirestoreAddress, checkCredentials: boolean): Promise<OpenDatabase> {
  const { FieldValue, Firestore, Timestamp, default: client } = await import('@google-cloud/firestore');
  if (checkCredentials) {
    await new client.v1.FirestoreClient({ projectId: address.googleProject }).auth.getClient();
  }
  const settings = { projectId: address.googleProject, databaseId: address.database, ...RECOVERY };
  return { database: new Firestore(settings), timestamps: Timestamp, fieldValues: FieldValue };
}
