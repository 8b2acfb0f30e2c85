import type { AccessToken } from '../../shared/access/access-token.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';

const DIGEST_PREFIX = /^[0-9a-f]{6,64}$/i;

/**
 * The token with this name, else the one whose digest begins so (6 digits or more). Throws a ServiceError
 * (not_found, or invalid_argument when several digests begin with the text).
 */
export function selectToken(tokens: readonly AccessToken[], selector: string): AccessToken {
  const named = tokens.find((token) => token.name === selector);
  if (named !== undefined) return named;
  const prefix = DIGEST_PREFIX.test(selector) ? selector.toLowerCase() : null;
  const [first, second] = prefix === null ? [] : tokens.filter((token) => token.digest.startsWith(prefix));
  if (first === undefined) {
    // What was given is not repeated: it may be a token.
    throw new ServiceError(
      'not_found',
      'No token has this name or a digest that begins with it (6 digits or more); "list" shows all tokens.',
    );
  }
  if (second !== undefined) {
    throw new ServiceError('invalid_argument', 'Several digests begin with these digits; give more digits.');
  }
  return first;
}
