import { ServiceError } from '../errors/service-error.ts';
import { type AccessToken, digestToken } from './access-token.ts';
import { newToken } from './new-token.ts';
import { LIMIT_RANGES, NO_LIMITS, type TokenLimits } from './token-limits.ts';
import { tokenLimits } from './token-limits-schema.ts';
import { TOKEN_LIST_ACCEPTED, TOKEN_NAME_ACCEPTED, tokenList, tokenName } from './token-record.ts';

export interface TokenRequest {
  readonly name: string;
  readonly endpoints: readonly string[] | null;
  readonly projects: readonly string[] | null;
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number | null;
  /** None when left out. */
  readonly limits?: TokenLimits;
}

/**
 * Makes a new random token of 256 bits. The token's text is in the answer and nowhere else; the record holds its
 * digest. Throws a ServiceError (invalid_argument) that names the faulty field.
 */
export function issueToken(
  request: TokenRequest,
  nowMs: number,
): { readonly token: string; readonly record: AccessToken } {
  const { name, endpoints, projects, expiresAtMs, limits = NO_LIMITS } = request;
  if (!tokenName.safeParse(name).success) throw refuse('name', `must be ${TOKEN_NAME_ACCEPTED}`);
  for (const [field, values] of Object.entries({ endpoints, projects })) {
    if (!tokenList.nullable().safeParse(values).success)
      throw refuse(field, `must be ${TOKEN_LIST_ACCEPTED}`);
  }
  for (const field of Object.keys(LIMIT_RANGES) as (keyof TokenLimits)[]) {
    if (tokenLimits.shape[field].safeParse(limits[field]).success) continue;
    const [smallest, largest] = LIMIT_RANGES[field];
    throw refuse(field, `must be a whole number from ${smallest} to ${largest}`);
  }
  if (expiresAtMs !== null && !(expiresAtMs > nowMs)) throw refuse('expiry', 'must lie in the future');
  const token = newToken();
  const digest = digestToken(token);
  return {
    token,
    record: { digest, name, createdAtMs: nowMs, expiresAtMs, revokedAtMs: null, endpoints, projects, limits },
  };
}

function refuse(field: string, message: string): ServiceError {
  return new ServiceError('invalid_argument', `The token's ${field} ${message}.`);
}
