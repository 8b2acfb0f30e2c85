import type { Precondition } from '@google-cloud/firestore';
import type { SimulatedClient } from './client.ts';
import type { Write } from './documents.ts';
import {
  type DocumentReference,
  type DocumentSnapshot,
  Query,
  type QuerySnapshot,
  readArguments,
  snapshotsOf,
  versionOf,
  type WriteResult,
} from './references.ts';
import { BATCH_RETRIED, READ_RETRIED } from './retried.ts';
import type { Reading } from './server.ts';
import type { Fields } from './values.ts';

/** Writes that are done together. */
export class WriteBatch {
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

/** A batch that depends on what was read before it. */
export class Transaction extends WriteBatch {
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

  /** No caller waits for it; locks that it does not free end by themselves. */
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
