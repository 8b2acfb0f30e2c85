import { lqlError } from './lql-error.ts';
import { MAX_CLAUSES, MAX_LQL_BYTES, MAX_SELECTS } from './lql-limits.ts';
import type { Clause, LqlQuery } from './tree.ts';

/** Unpaired surrogates, which no warehouse takes. */
const NO_TEXT = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/**
 * Refuses text that is too long to be read (unsupported), or that is no Unicode text (syntax). Throws a ServiceError
 * (invalid_argument) with the place.
 */
export function checkText(text: string): void {
  if (text.length > MAX_LQL_BYTES / 3 && Buffer.byteLength(text) > MAX_LQL_BYTES) {
    const { read: end } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_LQL_BYTES));
    throw lqlError(text, end, 'unsupported', 'the query has more than 16 KiB, shorten it');
  }
  if (text.isWellFormed()) return;
  const at = text.search(NO_TEXT);
  throw lqlError(text, at, 'syntax', 'the query has a character that is not valid Unicode text');
}

/** Refuses too many clauses, and those that only one of can be. Throws a ServiceError (invalid_argument, unsupported). */
export function checkLimits(text: string, { clauses }: LqlQuery): void {
  refuseFrom(text, clauses[MAX_CLAUSES], `more than ${MAX_CLAUSES} clauses`);
  const selects = clauses.filter(({ kind }) => kind === 'select' || kind === 'select_all');
  refuseFrom(text, selects[MAX_SELECTS], `more than ${MAX_SELECTS} s: clauses`);
  const seen = new Set<Clause['kind']>();
  for (const clause of clauses) {
    const name = lonelyName(clause);
    if (name !== null && seen.has(clause.kind)) refuseFrom(text, clause, `only one ${name}`);
    seen.add(clause.kind);
  }
}

function lonelyName({ kind }: Clause): string | null {
  switch (kind) {
    case 'from':
      return 'f: clause';
    case 'aggregate':
      return 'aggregate in c: clauses';
    case 'group_by':
      return 'c:group_by(…) clause';
    default:
      return null;
  }
}

function refuseFrom(text: string, clause: Clause | undefined, complaint: string): void {
  if (clause === undefined) return;
  throw lqlError(text, clause.at, 'unsupported', `${complaint}; leave this one out`);
}
