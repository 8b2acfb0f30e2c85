import type { AccessToken } from './access-token.ts';

/** All tokens of a store. */
export interface TokenListing {
  /** In the order in which they were made. */
  readonly tokens: readonly AccessToken[];
  /** A sentence about each record that is malformed, and so neither listed nor accepted. */
  readonly problems: readonly string[];
}

/**
 * Where access tokens are kept, for their administrator. Any method throws a ServiceError whose message is for the
 * operator: invalid_argument when the store's content cannot be used, else unavailable.
 */
export interface TokenRegistry {
  list(): Promise<TokenListing>;
  /** Adds a token unless another has its name, for one caller at a time, wherever the others are. */
  add(token: AccessToken): Promise<'added' | 'name_taken'>;
  /** Marks the token with this digest as revoked; one that was revoked before keeps its time. */
  revoke(digest: string, nowMs: number): Promise<'revoked' | 'revoked_before' | 'unknown'>;
  /** Frees what the registry holds. Never throws. */
  close(): Promise<void>;
}
