import type { Firestore } from '@google-cloud/firestore';
import { Timestamp as Timestamps } from '@google-cloud/firestore';
import type { OpenDatabase } from '../../../shared/firestore/firestore-connection.ts';
import { Transaction, WriteBatch } from './batches.ts';
import { CODES, type Path, RpcError, type Write } from './documents.ts';
import type { Network } from './network.ts';
import type { QueryPlan } from './query.ts';
import {
  CollectionReference,
  type DocumentReference,
  type DocumentSnapshot,
  readArguments,
  snapshotsOf,
  type WriteResult,
} from './references.ts';
import { COMMIT_RETRIED, READ_RETRIED } from './retried.ts';
import type { CommitResult, Reading, SimulatedServer } from './server.ts';
import { copyOf, type Fields, Increment, ServerTimestamp, timestampOf } from './values.ts';

/** The codes after which a transaction is run once more (transaction.js). */
const TRANSACTION_RETRIED: readonly number[] = [CODES.ABORTED, CODES.DEADLINE_EXCEEDED, CODES.UNAVAILABLE];
const TRANSACTION_ATTEMPTS = 5;
const FIRST_BACKOFF_MS = 1000;
const BACKOFF_FACTOR = 1.5;

/** One client's way to a server, under the same types as Google's. */
export function openSimulated(server: SimulatedServer, network: Network): OpenDatabase {
  const database = new SimulatedClient(server, network);
  return {
    // The class has the members that the service uses; the contract suite holds them against the real ones.
    database: database as unknown as Firestore,
    timestamps: Timestamps,
    fieldValues: {
      increment: (by: number) => new Increment(by),
      serverTimestamp: () => new ServerTimestamp(),
    } as unknown as OpenDatabase['fieldValues'],
  };
}

type TransactionId = number | 'new' | null;

/** A client, as far as the service uses one. */
export class SimulatedClient {
  readonly server: SimulatedServer;
  readonly network: Network;

  constructor(server: SimulatedServer, network: Network) {
    this.server = server;
    this.network = network;
  }

  collection(name: string): CollectionReference {
    return new CollectionReference(this, {
      collection: name,
      filters: [],
      orders: [],
      limit: null,
      fields: null,
    });
  }

  async getAll(...given: (DocumentReference | { fieldMask: string[] })[]): Promise<DocumentSnapshot[]> {
    const { references, fields } = readArguments(given);
    const reading = await this.read(references, null);
    return snapshotsOf(references, reading, fields);
  }

  batch(): WriteBatch {
    return new WriteBatch(this);
  }

  async runTransaction<T>(
    work: (transaction: Transaction) => Promise<T>,
    { maxAttempts = TRANSACTION_ATTEMPTS }: { maxAttempts?: number } = {},
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const transaction = new Transaction(this);
      try {
        const result = await work(transaction);
        await transaction.commit();
        return result;
      } catch (error) {
        transaction.rollback();
        if (attempt >= maxAttempts || !isRetriable(error)) throw error;
        await this.network.sleep(attempt === 1 ? 0 : FIRST_BACKOFF_MS * BACKOFF_FACTOR ** (attempt - 2));
      }
    }
  }

  async terminate(): Promise<void> {}

  read(references: readonly DocumentReference[], transaction: TransactionId): Promise<Reading> {
    const paths = references.map(({ path }) => path);
    return this.ask(`get ${references.map((one) => short(one.path)).join(', ')}`, transaction, () =>
      this.server.read(paths, transaction),
    );
  }

  query(plan: QueryPlan, transaction: TransactionId): Promise<Reading> {
    return this.ask(`query ${plan.collection}`, transaction, () => this.server.query(plan, transaction));
  }

  ask(label: string, transaction: TransactionId, read: () => Reading): Promise<Reading> {
    return this.network.call<Reading>(label, transaction === null ? READ_RETRIED : [], (reply) => {
      try {
        reply(read());
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        reply(error);
      }
    });
  }

  async commit(
    writes: readonly Write[],
    transaction: number | null,
    retried: readonly number[] = COMMIT_RETRIED,
  ): Promise<WriteResult[]> {
    const label = writes.map(({ kind, path }) => `${kind} ${short(path)}`).join(', ');
    const sent = writes.map(copyOfWrite);
    const { writeMicros } = await this.network.call<Extract<CommitResult, { writeMicros: unknown }>>(
      label,
      retried,
      (reply) =>
        this.server.commit(sent, transaction, (result) => reply('error' in result ? result.error : result)),
    );
    return writeMicros.map((micros) => ({ writeTime: timestampOf(micros) }));
  }
}

function copyOfWrite(write: Write): Write {
  return write.kind === 'delete' ? write : { ...write, fields: copyOf(write.fields) as Fields };
}

function isRetriable(error: unknown): boolean {
  if (!(error instanceof RpcError)) return false;
  if (error.code === CODES.INVALID_ARGUMENT) return error.message.includes('transaction has expired');
  return TRANSACTION_RETRIED.includes(error.code);
}

function short({ collection, id }: Path): string {
  return `${collection.replace('lqe_', '')}/${id.slice(0, 8)}`;
}
