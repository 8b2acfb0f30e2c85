import {
  type Document,
  documentAfter,
  nameOf,
  type Path,
  RpcError,
  refusalOf,
  versionOf,
  type Write,
} from './documents.ts';
import { isMatch, type QueryPlan, select } from './query.ts';
import { fieldsAfter, isEqual } from './values.ts';

/** What a transaction has read, which must not change before it commits. */
interface Transaction {
  readonly id: number;
  readonly documents: Map<string, { readonly path: Path; readonly updateMicros: number | null }>;
  readonly queries: { readonly plan: QueryPlan; readonly found: readonly string[] }[];
}

export interface Reading {
  readonly documents: readonly (Document | null)[];
  readonly readMicros: number;
  readonly transaction: number | null;
}

/** A commit that came while another transaction held a lock on what it changes. */
interface WaitingCommit {
  readonly writes: readonly Write[];
  readonly transaction: Transaction | null;
  done(result: CommitResult): void;
}

export type CommitResult = { readonly writeMicros: readonly number[] } | { readonly error: RpcError };

export interface ServerOptions {
  /** How transactions meet: by locks that writers wait for, or by a check when they commit. */
  readonly concurrency: 'pessimistic' | 'optimistic';
  /** True time in microseconds since the epoch. */
  nowMicros(): number;
  /** Calls back after a time. */
  later(ms: number, run: () => void): void;
  /** Receives each document that a commit changes. */
  readonly onChange?: (path: Path, before: Document | null, after: Document | null) => void;
}

/** A transaction that does nothing for so long has ended. */
const TRANSACTION_IDLE_MS = 60_000;
/** A commit that waits longer for the locks of others fails. */
const LOCK_WAIT_MS = 15_000;

/**
 * Firestore's side of things, for the calls that the service makes: documents with update times, preconditions,
 * serializable transactions. All of it happens at once, when it is called; the network is the client's matter.
 */
export class SimulatedServer {
  readonly #collections = new Map<string, Map<string, Document>>();
  readonly #transactions = new Map<number, Transaction>();
  readonly #options: ServerOptions;
  #waiting: WaitingCommit[] = [];
  #begun = 0;
  #lastCommitMicros = 0;

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  documents(collection: string): Iterable<Document> {
    return this.#collections.get(collection)?.values() ?? [];
  }

  find({ collection, id }: Path): Document | null {
    return this.#collections.get(collection)?.get(id) ?? null;
  }

  /** `transaction`: null outside of one, 'new' to begin one. */
  read(paths: readonly Path[], transaction: number | 'new' | null): Reading {
    const own = this.#open(transaction);
    const documents = paths.map((path) => this.find(path));
    paths.forEach((path, index) => {
      own?.documents.set(nameOf(path), { path, updateMicros: documents[index]?.updateMicros ?? null });
    });
    return { documents, readMicros: this.#readMicros(), transaction: own?.id ?? null };
  }

  query(plan: QueryPlan, transaction: number | 'new' | null): Reading {
    const own = this.#open(transaction);
    const documents = select(plan, this.documents(plan.collection));
    own?.queries.push({ plan, found: documents.map(versionOf) });
    return { documents, readMicros: this.#readMicros(), transaction: own?.id ?? null };
  }

  /** Answers at once, or when locks that others hold are free. */
  commit(writes: readonly Write[], transaction: number | null, done: (result: CommitResult) => void): void {
    const own = transaction === null ? null : (this.#transactions.get(transaction) ?? null);
    if (transaction !== null && own === null) {
      // The words by which the client knows that the transaction can be run once more.
      const error = new RpcError(
        'INVALID_ARGUMENT',
        'The referenced transaction has expired or is no longer valid.',
      );
      done({ error });
      return;
    }
    const waiting: WaitingCommit = { writes, transaction: own, done };
    if (!this.#isBlocked(waiting)) {
      this.#finish(waiting);
      return;
    }
    // Two transactions that read and then change the same wait for each other: the later one gives way.
    if (own !== null && this.#waiting.some((other) => this.#blocks(own, other))) {
      this.#abort(waiting, 'the locks of another transaction stand against its own');
      return;
    }
    this.#waiting.push(waiting);
    this.#options.later(LOCK_WAIT_MS, () => {
      if (!this.#waiting.includes(waiting)) return;
      this.#waiting = this.#waiting.filter((one) => one !== waiting);
      this.#abort(waiting, 'there was too much contention');
    });
  }

  rollback(transaction: number): void {
    this.#end(this.#transactions.get(transaction) ?? null);
  }

  /**
   * Deletes documents as a TTL policy does: some time after the time in a field, and only the version that expired. What a
   * transaction writes while the deletion waits for it is another one.
   */
  expire(collection: string, field: string, isExpired: (value: unknown) => boolean): void {
    for (const { id, fields, updateMicros } of [...this.documents(collection)]) {
      if (isExpired(fields[field])) {
        const write = { kind: 'delete', path: { collection, id }, lastUpdateMicros: updateMicros } as const;
        this.commit([write], null, () => {});
      }
    }
  }

  #open(transaction: number | 'new' | null): Transaction | null {
    if (transaction === null) return null;
    if (transaction !== 'new') {
      const known = this.#transactions.get(transaction);
      if (known === undefined)
        throw new RpcError(
          'INVALID_ARGUMENT',
          'The referenced transaction has expired or is no longer valid.',
        );
      return known;
    }
    this.#begun += 1;
    const begun: Transaction = { id: this.#begun, documents: new Map(), queries: [] };
    this.#transactions.set(begun.id, begun);
    this.#options.later(TRANSACTION_IDLE_MS, () => this.#end(begun));
    return begun;
  }

  #readMicros(): number {
    return Math.max(this.#options.nowMicros(), this.#lastCommitMicros);
  }

  #isBlocked({ writes, transaction }: WaitingCommit): boolean {
    if (this.#options.concurrency === 'optimistic') return false;
    return [...this.#transactions.values()].some(
      (other) => other !== transaction && this.#locks(other, writes),
    );
  }

  /** Whether a transaction holds a lock that a waiting commit needs. */
  #blocks(own: Transaction, waiting: WaitingCommit): boolean {
    return waiting.transaction !== own && this.#locks(own, waiting.writes);
  }

  #locks(holder: Transaction, writes: readonly Write[]): boolean {
    return writes.some((write) => {
      if (holder.documents.has(nameOf(write.path))) return true;
      const before = this.find(write.path);
      return holder.queries.some(
        ({ plan }) =>
          plan.collection === write.path.collection &&
          ((before !== null && isMatch(plan, before.fields)) ||
            (write.kind !== 'delete' &&
              isMatch(plan, fieldsAfter(before?.fields ?? {}, write.fields, 0, false)))),
      );
    });
  }

  #finish({ writes, transaction, done }: WaitingCommit): void {
    if (transaction !== null && !this.#isUnchanged(transaction)) {
      this.#end(transaction);
      done({ error: new RpcError('ABORTED', 'what the transaction has read has changed') });
      return;
    }
    const result = this.#apply(writes);
    this.#end(transaction);
    done(result);
    this.#goOn();
  }

  #abort({ transaction, done }: WaitingCommit, reason: string): void {
    this.#end(transaction);
    done({ error: new RpcError('ABORTED', reason) });
  }

  #isUnchanged({ documents, queries }: Transaction): boolean {
    for (const { path, updateMicros } of documents.values()) {
      if ((this.find(path)?.updateMicros ?? null) !== updateMicros) return false;
    }
    return queries.every(({ plan, found }) =>
      isEqual(select(plan, this.documents(plan.collection)).map(versionOf), found),
    );
  }

  #end(transaction: Transaction | null): void {
    if (transaction === null || !this.#transactions.delete(transaction.id)) return;
    this.#goOn();
  }

  #goOn(): void {
    const ready = this.#waiting.find((waiting) => !this.#isBlocked(waiting));
    if (ready === undefined) return;
    this.#waiting = this.#waiting.filter((one) => one !== ready);
    this.#finish(ready);
  }

  /** Does all of the writes, or none where a precondition does not hold. */
  #apply(writes: readonly Write[]): CommitResult {
    const micros = Math.max(this.#options.nowMicros(), this.#lastCommitMicros + 1);
    const changed = new Map<
      string,
      { readonly path: Path; before: Document | null; after: Document | null }
    >();
    const writeMicros: number[] = [];
    for (const write of writes) {
      const name = nameOf(write.path);
      const before = changed.has(name) ? changed.get(name)!.after : this.find(write.path);
      const refusal = refusalOf(write, before);
      if (refusal !== null) return { error: refusal };
      const after = documentAfter(write, before, micros);
      changed.set(name, { path: write.path, before: this.find(write.path), after });
      writeMicros.push(after === null ? micros : after.updateMicros);
    }
    this.#lastCommitMicros = micros;
    for (const { path, before, after } of changed.values()) this.#put(path, before, after);
    return { writeMicros };
  }

  #put(path: Path, before: Document | null, after: Document | null): void {
    let documents = this.#collections.get(path.collection);
    if (documents === undefined) {
      documents = new Map();
      this.#collections.set(path.collection, documents);
    }
    if (after === null) documents.delete(path.id);
    else documents.set(path.id, after);
    if (before !== after) this.#options.onChange?.(path, before, after);
  }
}
