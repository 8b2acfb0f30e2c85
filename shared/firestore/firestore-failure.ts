import { DeadlineExceeded } from '../concurrency/within.ts';
import { ServiceError } from '../errors/service-error.ts';

/** Which database: of results, of access tokens, and of what is asked for. */
export interface FirestoreAddress {
  readonly googleProject: string;
  readonly database: string;
}

const NO_ANSWER = 'it gave no answer in time; the change may have been made all the same, which "list" shows';

/** What the codes of google.rpc.Code mean here, in words that end a sentence. */
const REASONS: ReadonlyMap<unknown, string> = new Map([
  [3, 'it does not accept the record; give fewer or shorter endpoints and projects'],
  [4, NO_ANSWER],
  [5, 'there is no such database; create it, or name another'],
  [7, 'the account in use may not; it needs the role roles/datastore.user'],
  [8, 'its quota is used up; try again later'],
  [10, 'others change the tokens at the same time; try again'],
  [14, 'it cannot be reached'],
  [16, 'its credentials are not valid; log in with "gcloud auth application-default login"'],
]);
const NO_CREDENTIALS = /credential|invalid_grant|invalid_rapt/i;

/** A failure in words for the operator, with the client's own error as the cause. */
export function firestoreFailure(address: FirestoreAddress, cause: unknown): ServiceError {
  if (cause instanceof ServiceError) return cause;
  return new ServiceError(
    'unavailable',
    `The Firestore database "${address.database}" of the project "${address.googleProject}" cannot be used: ${reasonOf(cause)}.`,
    { cause },
  );
}

function reasonOf(cause: unknown): string {
  if (cause instanceof DeadlineExceeded) return NO_ANSWER;
  if (cause instanceof Error && NO_CREDENTIALS.test(cause.message)) {
    return 'there are no valid Google credentials on this machine; log in with "gcloud auth application-default login"';
  }
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  return REASONS.get(code) ?? 'the call failed';
}
