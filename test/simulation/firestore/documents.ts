import { type Fields, fieldsAfter, isEqual } from './values.ts';

/** google.rpc.Code, as far as the simulation answers them. */
export const CODES = {
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  UNAVAILABLE: 14,
} as const;

/** A failure with its code, as the client throws it. */
export class RpcError extends Error {
  readonly code: number;
  constructor(code: keyof typeof CODES, text: string) {
    super(`${CODES[code]} ${code}: ${text}`);
    this.code = CODES[code];
  }
}

/** One version of a document; it is never changed, but replaced. */
export interface Document {
  readonly id: string;
  readonly fields: Fields;
  readonly createMicros: number;
  readonly updateMicros: number;
}

export interface Path {
  readonly collection: string;
  readonly id: string;
}

export type Write = { readonly path: Path } & (
  | { readonly kind: 'set'; readonly fields: Fields; readonly isMerged: boolean }
  | { readonly kind: 'create'; readonly fields: Fields }
  | { readonly kind: 'update'; readonly fields: Fields; readonly lastUpdateMicros: number | null }
  | { readonly kind: 'delete'; readonly lastUpdateMicros: number | null }
);

/** What a write makes of a document; null where it deletes it. A write that changes nothing leaves the version as it is. */
export function documentAfter(write: Write, before: Document | null, micros: number): Document | null {
  if (write.kind === 'delete') return null;
  const isMerged = write.kind === 'set' && write.isMerged;
  const base = isMerged || write.kind === 'update' ? (before?.fields ?? {}) : {};
  const fields = fieldsAfter(base, write.fields, micros, isMerged);
  if (before !== null && isEqual(before.fields, fields)) return before;
  return { id: write.path.id, fields, createMicros: before?.createMicros ?? micros, updateMicros: micros };
}

/** Why a write cannot be done to a document; null where it can. */
export function refusalOf(write: Write, before: Document | null): RpcError | null {
  const name = nameOf(write.path);
  if (write.kind === 'create')
    return before === null ? null : new RpcError('ALREADY_EXISTS', `${name} exists`);
  if (write.kind === 'set') return null;
  const { lastUpdateMicros } = write;
  if (before === null) {
    if (write.kind === 'delete' && lastUpdateMicros === null) return null;
    return new RpcError(
      lastUpdateMicros === null ? 'NOT_FOUND' : 'FAILED_PRECONDITION',
      `there is no ${name}`,
    );
  }
  if (lastUpdateMicros === null || lastUpdateMicros === before.updateMicros) return null;
  return new RpcError('FAILED_PRECONDITION', `${name} is of another version`);
}

/** Names a version of a document. */
export function versionOf({ id, updateMicros }: Document): string {
  return `${id} ${updateMicros}`;
}

/** Names a document. */
export function nameOf({ collection, id }: Path): string {
  return `${collection}/${id}`;
}
