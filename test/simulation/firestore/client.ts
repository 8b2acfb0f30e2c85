import type { Firestore, Precondition, Timestamp } from '@google-cloud/firestore';
import { Timestamp as Timestamps } from '@google-cloud/firestore';
import type { OpenDatabase } from '../../../shared/firestore/firestore-connection.ts';
import type { Network } from './network.ts';
import type { Filter, Operator, Order, QueryPlan } from './query.ts';
import {
  CODES,
  type CommitResult,
  type Document,
  type Path,
  type Reading,
  RpcError,
  type SimulatedServer,
  type Write,
} from './server.ts';
import {
  copyOf,
  copyOfFields,
  type Fields,
  Increment,
  microsOf,
  ServerTimestamp,
  timestampOf,
} from './values.ts';

/** The codes after which Google's client makes a call again (firestore_client_config.json, and write-batch.js for ABORTED). */
const READ_RETRIED = [CODES.DEADLINE_EXCEEDED, CODES.UNAVAILABLE];
const COMMIT_RETRIED = [CODES.UNAVAILABLE];
const BATCH_RETRIED = [CODES.UNAVAILABLE, CODES.ABORTED];
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

class SimulatedClient {
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

interface WriteResult {
  readonly writeTime: Timestamp;
}

class Query {
  readonly client: SimulatedClient;
  readonly plan: QueryPlan;

  constructor(client: SimulatedClient, plan: QueryPlan) {
    this.client = client;
    this.plan = plan;
  }

  where(field: string, operator: Operator, value: unknown): Query {
    const filter: Filter = { field, operator, value };
    return new Query(this.client, { ...this.plan, filters: [...this.plan.filters, filter] });
  }

  orderBy(field: string, direction: Order['direction'] = 'asc'): Query {
    return new Query(this.client, { ...this.plan, orders: [...this.plan.orders, { field, direction }] });
  }

  limit(limit: number): Query {
    return new Query(this.client, { ...this.plan, limit });
  }

  select(...fields: string[]): Query {
    return new Query(this.client, { ...this.plan, fields });
  }

  async get(): Promise<QuerySnapshot> {
    return this.snapshot(await this.client.query(this.plan, null));
  }

  snapshot({ documents, readMicros }: Reading): QuerySnapshot {
    const { collection, fields } = this.plan;
    const docs = documents.map((document) => {
      const path = { collection, id: document?.id ?? '' };
      return new DocumentSnapshot(new DocumentReference(this.client, path), document, readMicros, fields);
    });
    return { docs, size: docs.length, empty: docs.length === 0, readTime: timestampOf(readMicros) };
  }
}

interface QuerySnapshot {
  readonly docs: readonly DocumentSnapshot[];
  readonly size: number;
  readonly empty: boolean;
  readonly readTime: Timestamp;
}

class CollectionReference extends Query {
  doc(id: string): DocumentReference {
    return new DocumentReference(this.client, { collection: this.plan.collection, id });
  }
}

class DocumentReference {
  readonly client: SimulatedClient;
  readonly path: Path;

  constructor(client: SimulatedClient, path: Path) {
    this.client = client;
    this.path = path;
  }

  get id(): string {
    return this.path.id;
  }

  async get(): Promise<DocumentSnapshot> {
    const [snapshot] = await this.client.getAll(this);
    return snapshot!;
  }

  create(fields: Fields): Promise<WriteResult> {
    return this.#write({ kind: 'create', path: this.path, fields });
  }

  set(fields: Fields, { merge = false }: { merge?: boolean } = {}): Promise<WriteResult> {
    return this.#write({ kind: 'set', path: this.path, fields, isMerged: merge });
  }

  update(fields: Fields, precondition?: Precondition): Promise<WriteResult> {
    return this.#write({
      kind: 'update',
      path: this.path,
      fields,
      lastUpdateMicros: versionOf(precondition),
    });
  }

  delete(precondition?: Precondition): Promise<WriteResult> {
    return this.#write({ kind: 'delete', path: this.path, lastUpdateMicros: versionOf(precondition) });
  }

  async #write(write: Write): Promise<WriteResult> {
    const [result] = await this.client.commit([write], null, BATCH_RETRIED);
    return result!;
  }
}

class DocumentSnapshot {
  readonly ref: DocumentReference;
  readonly exists: boolean;
  readonly readTime: Timestamp;
  readonly createTime: Timestamp | undefined;
  readonly updateTime: Timestamp | undefined;
  readonly #fields: Fields | undefined;

  constructor(
    ref: DocumentReference,
    document: Document | null,
    readMicros: number,
    fields: readonly string[] | null,
  ) {
    this.ref = ref;
    this.exists = document !== null;
    this.readTime = timestampOf(readMicros);
    this.createTime = document === null ? undefined : timestampOf(document.createMicros);
    this.updateTime = document === null ? undefined : timestampOf(document.updateMicros);
    this.#fields = document === null ? undefined : copyOfFields(masked(document.fields, fields));
  }

  get id(): string {
    return this.ref.id;
  }

  data(): Fields | undefined {
    return this.#fields;
  }

  get(field: string): unknown {
    return this.#fields?.[field];
  }
}

/** Writes that are done together. */
class WriteBatch {
  readonly writes: Write[] = [];
  readonly #client: SimulatedClient;

  constructor(client: SimulatedClient) {
    this.#client = client;
  }

  create({ path }: DocumentReference, fields: Fields): this {
    this.writes.push({ kind: 'create', path, fields });
    return this;
  }

  set({ path }: DocumentReference, fields: Fields, { merge = false }: { merge?: boolean } = {}): this {
    this.writes.push({ kind: 'set', path, fields, isMerged: merge });
    return this;
  }

  update({ path }: DocumentReference, fields: Fields, precondition?: Precondition): this {
    this.writes.push({ kind: 'update', path, fields, lastUpdateMicros: versionOf(precondition) });
    return this;
  }

  delete({ path }: DocumentReference, precondition?: Precondition): this {
    this.writes.push({ kind: 'delete', path, lastUpdateMicros: versionOf(precondition) });
    return this;
  }

  commit(): Promise<WriteResult[]> {
    return this.#client.commit(this.writes, null, BATCH_RETRIED);
  }
}

class Transaction extends WriteBatch {
  readonly #client: SimulatedClient;
  #id: Promise<number> | null = null;

  constructor(client: SimulatedClient) {
    super(client);
    this.#client = client;
  }

  async get(target: DocumentReference | Query): Promise<DocumentSnapshot | QuerySnapshot> {
    if (target instanceof Query) {
      return target.snapshot(await this.#inside((id) => this.#client.query(target.plan, id)));
    }
    const [snapshot] = await this.getAll(target);
    return snapshot!;
  }

  async getAll(...given: (DocumentReference | { fieldMask: string[] })[]): Promise<DocumentSnapshot[]> {
    const { references, fields } = readArguments(given);
    return snapshotsOf(references, await this.#inside((id) => this.#client.read(references, id)), fields);
  }

  override async commit(): Promise<WriteResult[]> {
    if (this.#id === null && this.writes.length === 0) return [];
    const id = this.#id === null ? null : await this.#id;
    const results = await this.#client.commit(this.writes, id);
    this.#id = null;
    return results;
  }

  /** Nobody waits for it; locks that it does not free end by themselves. */
  rollback(): void {
    const { network, server } = this.#client;
    this.#id
      ?.then((id) =>
        network.call<true>('roll back', READ_RETRIED, (reply) => {
          server.rollback(id);
          reply(true);
        }),
      )
      .catch(() => {});
  }

  /** Reads in the transaction, which begins with its first read. */
  async #inside(read: (id: number | 'new') => Promise<Reading>): Promise<Reading> {
    if (this.#id !== null) return read(await this.#id);
    const first = read('new');
    this.#id = first.then(({ transaction }) => transaction ?? 0);
    this.#id.catch(() => {});
    return first;
  }
}

function readArguments(given: readonly (DocumentReference | { fieldMask: string[] })[]) {
  const references = given.filter((one) => one instanceof DocumentReference);
  const options = given.find((one) => !(one instanceof DocumentReference));
  return { references, fields: options !== undefined && 'fieldMask' in options ? options.fieldMask : null };
}

function snapshotsOf(
  references: readonly DocumentReference[],
  { documents, readMicros }: Reading,
  fields: readonly string[] | null,
): DocumentSnapshot[] {
  return references.map((ref, at) => new DocumentSnapshot(ref, documents[at] ?? null, readMicros, fields));
}

function masked(fields: Fields, names: readonly string[] | null): Fields {
  if (names === null) return fields;
  return Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]));
}

function versionOf(precondition: Precondition | undefined): number | null {
  const time = precondition?.lastUpdateTime;
  return time === undefined ? null : microsOf(time);
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
