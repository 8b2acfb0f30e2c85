import { ServiceError } from '../../errors/service-error.ts';
import type { FirestoreConnection } from '../../firestore/firestore-connection.ts';
import type { AccessToken } from '../access-token.ts';
import { MAX_TOKENS } from '../token-record.ts';
import type { TokenListing, TokenRegistry } from '../token-registry.ts';
import { readTokenDocument, TOKEN_COLLECTION, writeTokenDocument } from './token-document.ts';

/** A person waits for it, and a transaction may have to be repeated. */
const DEADLINE_MS = 20_000;
/** Transactions that meet others are repeated by the client, later each time. */
const MAX_ATTEMPTS = 10;

/**
 * The tokens in Firestore, a document each. That a name is free is looked up in the transaction that takes it, and
 * Firestore's transactions are serializable, queries included, so no two tokens get one name.
 */
export function firestoreTokenRegistry(
  connection: FirestoreConnection,
  deadlineMs: number = DEADLINE_MS,
): TokenRegistry {
  return {
    list: () =>
      connection.call(deadlineMs, async ({ database }) => {
        const found = await database
          .collection(TOKEN_COLLECTION)
          .limit(MAX_TOKENS + 1)
          .get();
        if (found.size > MAX_TOKENS) {
          throw new ServiceError(
            'invalid_argument',
            `There are more than ${MAX_TOKENS} tokens; delete old ones.`,
          );
        }
        return listingOf(found.docs.map((document) => readTokenDocument(document.id, document.data())));
      }),
    add: (token) =>
      connection.call(deadlineMs, async ({ database, timestamps }) => {
        const tokens = database.collection(TOKEN_COLLECTION);
        return database.runTransaction(
          async (transaction) => {
            const others = await transaction.get(tokens.where('name', '==', token.name).limit(1));
            const [taken] = others.docs;
            // A commit whose answer was lost is made again by the client, and then finds its own token.
            if (taken !== undefined) return taken.id === token.digest ? 'added' : 'name_taken';
            transaction.create(tokens.doc(token.digest), writeTokenDocument(token, timestamps));
            return 'added';
          },
          { maxAttempts: MAX_ATTEMPTS },
        );
      }),
    revoke: (digest, nowMs) =>
      connection.call(deadlineMs, async ({ database, timestamps }) => {
        const document = database.collection(TOKEN_COLLECTION).doc(digest);
        return database.runTransaction(
          async (transaction) => {
            const found = await transaction.get(document);
            if (!found.exists) return 'unknown';
            const before: { toMillis(): number } | null = found.get('revoked') ?? null;
            if (before !== null) return before.toMillis() === nowMs ? 'revoked' : 'revoked_before';
            transaction.update(document, { revoked: timestamps.fromMillis(nowMs) });
            return 'revoked';
          },
          { maxAttempts: MAX_ATTEMPTS },
        );
      }),
    close: () => connection.close(),
  };
}

function listingOf(documents: readonly ReturnType<typeof readTokenDocument>[]): TokenListing {
  const tokens: AccessToken[] = [];
  const problems: string[] = [];
  for (const document of documents) {
    if ('token' in document) tokens.push(document.token);
    else problems.push(document.problem);
  }
  tokens.sort((a, b) => a.createdAtMs - b.createdAtMs || (a.name < b.name ? -1 : 1));
  return { tokens, problems };
}
