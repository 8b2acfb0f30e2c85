import { ServiceError } from '../errors/service-error.ts';
import { type AccessToken, digestToken } from './access-token.ts';
import { newToken } from './new-token.ts';
import { LIMIT_RANGES, NO_LIMITS, type TokenLimits } from './token-limits.ts';
import { tokenLimits } from './token-limits-schema.ts';
import {
  SOURCE_LIST_ACCEPTED,
  sourceList,
  TOKEN_LIST_ACCEPTED,
  TOKEN_NAME_ACCEPTED,
  tokenList,
  tokenName,
} from './token-record.ts';

/** What a new token is to allow. */
export interface TokenRequest {
  readonly name: string;
  readonly endpoints: readonly string[] | null;
  readonly projects: readonly string[] | null;
  /** The sources that it may write; null, or left out, for a token that reads. */
  readonly writes?: readonly string[] | null;
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
  const { name, endpoints, projects, writes = null, expiresAtMs, limits = NO_LIMITS } = request;
  if (!tokenName.safeParse(name).success) throw refuse('name', `must be ${TOKEN_NAME_ACCEPTED}`);
  for (const [field, values] of Object.entries({ endpoints, projects })) {
    if (!tokenList.nullable().safeParse(values).success)
      throw refuse(field, `must be ${TOKEN_LIST_ACCEPTED}`);
  }
  if (!sourceList.nullable().safeParse(writes).success) {
    throw refuse('list of sources', `must be ${SOURCE_LIST_ACCEPTED}`);
  }
  if (writes !== null) checkWriter(request);
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
    record: {
      digest,
      name,
      createdAtMs: nowMs,
      expiresAtMs,
      revokedAtMs: null,
      endpoints,
      projects,
      writes,
      limits,
    },
  };
}

/** A token that writes reads nothing, so what limits reading would only seem to limit it. */
function checkWriter({ endpoints, limits = NO_LIMITS }: TokenRequest): void {
  const given = { endpoints, ...limits, requestsPerMinute: null };
  const [field] = Object.entries(given).find(([, value]) => value !== null) ?? [];
  if (field !== undefined) {
    throw refuse(
      field,
      'must be left out: a token that writes reads nothing, so only projects and requests a minute limit it',
    );
  }
}

function refuse(field: string, message: string): ServiceError {
  return new ServiceError('invalid_argument', `The token's ${field} ${message}.`);
}
