import * as z from 'zod';
import { ServiceError } from '../errors/service-error.ts';

/** Whose calls a route takes that only a Google service account may call; null for what is not checked. */
export interface ExpectedCaller {
  readonly audience: string | null;
  readonly serviceAccount: string | null;
}

/** Longer than any identity token. */
const MAX_TOKEN_CHARACTERS = 8192;
/** Clocks of two machines may differ by so much. */
const SKEW_SECONDS = 120;
const ISSUERS = ['https://accounts.google.com', 'accounts.google.com'];

/** The claims of Google's identity tokens that are looked at (OpenID Connect Core 1.0, section 2). */
const claims = z.object({
  iss: z.string(),
  aud: z.string(),
  exp: z.number(),
  email: z.string(),
  email_verified: z.literal(true),
});

/**
 * Checks the claims of the identity token in an `Authorization` header. The signature is the platform's to check, which
 * lets no one else through and hands the token on without it
 * (https://cloud.google.com/run/docs/authenticating/service-to-service).
 *
 * Throws a ServiceError: unauthenticated when there is no token of Google's, or it has expired; permission_denied when it
 * is for another audience or of another account.
 */
export function checkCaller(
  authorization: string | undefined,
  { audience, serviceAccount }: ExpectedCaller,
  nowMs: number,
): void {
  if (audience === null && serviceAccount === null) return;
  const token = readClaims(authorization ?? '');
  if (token === null || !ISSUERS.includes(token.iss)) {
    throw unauthenticated('The request has no Google identity token; send one as Authorization: Bearer.');
  }
  if (token.exp + SKEW_SECONDS < nowMs / 1000) {
    throw unauthenticated('The identity token has expired; send a new one.');
  }
  if (audience !== null && token.aud !== audience) throw refuse('is for another audience');
  if (serviceAccount !== null && token.email !== serviceAccount) throw refuse('is of another account');
}

function readClaims(authorization: string): z.infer<typeof claims> | null {
  if (authorization.length > MAX_TOKEN_CHARACTERS) return null;
  const [, payload] = /^Bearer +[\w-]+\.([\w-]+)\.[\w-]*$/i.exec(authorization) ?? [];
  if (payload === undefined) return null;
  try {
    return claims.parse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')));
  } catch {
    return null;
  }
}

function unauthenticated(message: string): ServiceError {
  return new ServiceError('unauthenticated', message, { headers: { 'WWW-Authenticate': 'Bearer' } });
}

function refuse(complaint: string): ServiceError {
  return new ServiceError('permission_denied', `The identity token ${complaint}.`);
}
