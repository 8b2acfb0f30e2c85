import { type ErrorKind, ServiceError } from '../../errors/service-error.ts';
import type { SchedulerAddress } from './scheduler-address.ts';

interface Reason {
  readonly kind: ErrorKind;
  /** In words that end a sentence. */
  readonly text: string;
}

const LOGIN = 'log in with "gcloud auth application-default login"';
const NO_CREDENTIALS = /default credentials|invalid_grant|invalid_rapt/;

/** What the codes of google.rpc.Code mean here. */
const REASONS: ReadonlyMap<unknown, Reason> = new Map([
  [3, { kind: 'invalid_argument', text: 'it does not accept the project or the region; check both' }],
  [4, { kind: 'unavailable', text: 'it gave no answer in time; try again' }],
  [
    7,
    {
      kind: 'permission_denied',
      text: 'the account in use may not, or the API is off; give it the role roles/cloudscheduler.admin (roles/cloudscheduler.viewer to look), or enable cloudscheduler.googleapis.com',
    },
  ],
  [8, { kind: 'unavailable', text: 'its quota is used up; try again in a minute' }],
  [
    9,
    { kind: 'unavailable', text: 'the job is not in a state that allows this; "lqe warm status" shows it' },
  ],
  [14, { kind: 'unavailable', text: 'it cannot be reached; check the network' }],
  [16, { kind: 'unavailable', text: `the credentials are not valid; ${LOGIN}` }],
]);

/** A failure in words for the operator, with the client's own error as the cause. */
export function schedulerFailure(address: SchedulerAddress, endpoint: string, cause: unknown): ServiceError {
  const { googleProject, region } = address;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  if (code === 5) {
    return new ServiceError(
      'not_found',
      `The endpoint "${endpoint}" has no warming job in the region "${region}" of the project "${googleProject}": check both names, or run "terraform apply".`,
      { cause },
    );
  }
  const { kind, text } = reasonOf(code, cause);
  return new ServiceError(
    kind,
    `Cloud Scheduler in the region "${region}" of the project "${googleProject}" cannot be used: ${text}.`,
    { cause },
  );
}

function reasonOf(code: unknown, cause: unknown): Reason {
  if (cause instanceof Error && NO_CREDENTIALS.test(cause.message)) {
    return { kind: 'unavailable', text: `there are no valid Google credentials on this machine; ${LOGIN}` };
  }
  return REASONS.get(code) ?? { kind: 'unavailable', text: 'the call failed; try again' };
}
