import type { DocumentData } from '@google-cloud/firestore';
import * as z from 'zod';
import type { AccessToken } from '../access-token.ts';
import { tokenLimits, writeTokenLimits } from '../token-limits-schema.ts';
import { sourceList, tokenDigest, tokenList, tokenName } from '../token-record.ts';

/** The collection of tokens; a document's id is the token's digest. */
export const TOKEN_COLLECTION = 'lqe_tokens';

/** What turns a time into a value of Firestore's own type. */
export interface TimestampType {
  fromMillis(ms: number): unknown;
}

const timestamp = z
  .custom<{ toMillis(): number }>(isTimestamp, 'must be a timestamp')
  .transform((value) => value.toMillis());

const tokenDocument = z.strictObject({
  name: tokenName,
  created: timestamp,
  expires: timestamp.nullable(),
  revoked: timestamp.nullable(),
  endpoints: tokenList.nullable(),
  projects: tokenList.nullable(),
  writes: sourceList.nullable().default(null),
  limits: tokenLimits,
});

/** What a document says of a token, or a sentence on why it says nothing that can be relied on. */
export type ReadDocument = { readonly token: AccessToken } | { readonly problem: string };

/**
 * Reads a document of the collection. A field that this version does not know makes it malformed as a missing one
 * does: it may be a limit.
 */
export function readTokenDocument(id: string, data: DocumentData): ReadDocument {
  const malformed = (reason: string) => ({
    problem: `The document ${TOKEN_COLLECTION}/${printable(id)} is malformed, so its token is refused: ${reason}.`,
  });
  const digest = tokenDigest.safeParse(id);
  if (!digest.success) return malformed(`its id ${digest.error.issues[0]?.message ?? 'is wrong'}`);
  const parsed = tokenDocument.safeParse(data);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
    return malformed(place + printable(issue?.message ?? 'it has another form'));
  }
  const { created, expires, revoked, ...rest } = parsed.data;
  return {
    token: {
      ...rest,
      digest: digest.data,
      createdAtMs: created,
      expiresAtMs: expires,
      revokedAtMs: revoked,
    },
  };
}

/** The inverse of `readTokenDocument`, without the id. */
export function writeTokenDocument(token: AccessToken, timestamps: TimestampType): DocumentData {
  const { name, createdAtMs, expiresAtMs, revokedAtMs, endpoints, projects, writes, limits } = token;
  const at = (ms: number | null) => (ms === null ? null : timestamps.fromMillis(ms));
  return {
    name,
    created: at(createdAtMs),
    expires: at(expiresAtMs),
    revoked: at(revokedAtMs),
    endpoints,
    projects,
    // Versions that know of no tokens that write go on reading all others.
    ...(writes === null ? {} : { writes }),
    limits: writeTokenLimits(limits),
  };
}

/** Documents hold no functions, so what has this one is Firestore's timestamp. */
function isTimestamp(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && 'toMillis' in value && typeof value.toMillis === 'function'
  );
}

/** Text of a document on a terminal or in a log line: short, and without what would act on it. */
function printable(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?').slice(0, 200);
}
