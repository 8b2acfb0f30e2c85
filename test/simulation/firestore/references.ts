import type { Precondition, Timestamp } from '@google-cloud/firestore';
import type { SimulatedClient } from './client.ts';
import type { Document, Path, Write } from './documents.ts';
import type { Filter, Operator, Order, QueryPlan } from './query.ts';
import { BATCH_RETRIED } from './retried.ts';
import type { Reading } from './server.ts';
import { copyOfFields, type Fields, microsOf, timestampOf } from './values.ts';

export interface WriteResult {
  readonly writeTime: Timestamp;
}

export class Query {
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

  /** How many documents there are, without them. */
  count(): { get(): Promise<{ data(): { readonly count: number }; readonly readTime: Timestamp }> } {
    const get = async () => {
      const { documents, readMicros } = await this.client.query(this.plan, null);
      return { data: () => ({ count: documents.length }), readTime: timestampOf(readMicros) };
    };
    return { get };
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

export interface QuerySnapshot {
  readonly docs: readonly DocumentSnapshot[];
  readonly size: number;
  readonly empty: boolean;
  readonly readTime: Timestamp;
}

export class CollectionReference extends Query {
  doc(id: string): DocumentReference {
    return new DocumentReference(this.client, { collection: this.plan.collection, id });
  }
}

export class DocumentReference {
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

export class DocumentSnapshot {
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

export function readArguments(given: readonly (DocumentReference | { fieldMask: string[] })[]) {
  const references = given.filter((one) => one instanceof DocumentReference);
  const options = given.find((one) => !(one instanceof DocumentReference));
  return { references, fields: options !== undefined && 'fieldMask' in options ? options.fieldMask : null };
}

export function snapshotsOf(
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

export function versionOf(precondition: Precondition | undefined): number | null {
  const time = precondition?.lastUpdateTime;
  return time === undefined ? null : microsOf(time);
}
