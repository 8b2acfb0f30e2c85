import type { Random } from './random.ts';
import { randomOf, type Slot } from './slots.ts';

/** Why the auth server refused a request. */
export interface AuthFailure {
  /** What the gateway passes on as `x-sb-error-code`. */
  readonly code: string;
  /** What the auth server writes down. */
  readonly text: string;
}

const failure = (code: string, text: string): AuthFailure => ({ code, text });

const BY_STATUS: Readonly<Record<number, readonly AuthFailure[]>> = {
  400: [
    failure('invalid_credentials', 'invalid_grant: Invalid login credentials'),
    failure('email_not_confirmed', 'invalid_grant: Email not confirmed'),
    failure('refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found'),
    failure('refresh_token_already_used', 'Invalid Refresh Token: Already Used'),
  ],
  401: [failure('no_authorization', 'This endpoint requires a valid Bearer token')],
  403: [
    failure(
      'bad_jwt',
      'invalid JWT: unable to parse or verify signature, token has invalid claims: token is expired',
    ),
  ],
  422: [
    failure('user_already_exists', 'User already registered'),
    failure('weak_password', 'Password should be at least 8 characters'),
  ],
  429: [
    failure('over_request_rate_limit', 'over_request_rate_limit: Request rate limit reached'),
    failure('over_email_send_rate_limit', 'over_email_send_rate_limit: email rate limit exceeded'),
  ],
  500: [failure('unexpected_failure', 'Database error querying schema')],
};

/** The failure of the auth request in a slot, the same for all sources that log it; null where it was not refused. */
export function authFailureOf(slot: Slot, status: number): AuthFailure | null {
  const failures = BY_STATUS[status];
  if (failures === undefined) return null;
  const random: Random = randomOf(slot, 'auth_failure');
  return random.pick(failures);
}
