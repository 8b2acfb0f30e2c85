import { ServiceError } from '../../errors/service-error.ts';
import type { FirestoreConnection } from '../../firestore/firestore-connection.ts';
import type { TokenStore } from '../token-store.ts';
import { readTokenDocument, TOKEN_COLLECTION } from './token-document.ts';

/** A request waits for it; a first call connects, and takes about a second on a cold instance. */
const DEADLINE_MS = 5_000;

/**
 * Looks tokens up in Firestore, one document each time; `cachingTokenStore` belongs before it. When Firestore fails or
 * gives no answer in `deadlineMs`, and when the token's document is malformed, `find` throws a ServiceError
 * (unavailable) whose message has no details and whose cause names the reason for the log.
 */
export function firestoreTokenStore(
  connection: FirestoreConnection,
  deadlineMs: number = DEADLINE_MS,
): TokenStore {
  return {
    async find(digest) {
      const read = connection.call(deadlineMs, ({ database }) =>
        database.collection(TOKEN_COLLECTION).doc(digest).get(),
      );
      const document = await read.catch((error: unknown) => {
        throw unavailable(error);
      });
      const data = document.data();
      if (data === undefined) return null;
      const found = readTokenDocument(document.id, data);
      if ('token' in found) return found.token;
      throw unavailable(new ServiceError('invalid_argument', found.problem));
    },
  };
}

function unavailable(cause: unknown): ServiceError {
  return new ServiceError('unavailable', 'Access tokens cannot be checked at the moment; try again later.', {
    cause,
  });
}
