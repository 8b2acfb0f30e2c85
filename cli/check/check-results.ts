import { ServiceError } from '../../shared/errors/service-error.ts';
import type { FirestoreConnection } from '../../shared/firestore/firestore-connection.ts';
import { error, type Finding } from './finding.ts';

const DEADLINE_MS = 20_000;
/** The collection of results, as terraform/firestore.tf has it. */
const COLLECTION = 'lqe_cache';

/** Looks whether results can be read in Firestore; without it every instance asks the warehouse for itself. */
export async function checkResults(connection: FirestoreConnection): Promise<readonly Finding[]> {
  try {
    await connection.call(DEADLINE_MS, ({ database }) => database.collection(COLLECTION).limit(1).get());
    return [];
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    return [
      error(
        'result cache',
        thrown.message.replace(/\.$/, ''),
        'until that is fixed every instance runs its queries itself',
      ),
    ];
  } finally {
    await connection.close();
  }
}
