import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Clock, elapsedMs, type Moment, momentOf } from '../concurrency/clock.ts';

/** How long a code works, in ms. */
export const SIGN_IN_CODE_MS = 60_000;
/** 128 bits, beyond guessing in a minute. */
const CODE_BYTES = 16;
/** After so many wrong codes the right one ends as well. */
const MAX_WRONG_CODES = 10;

/** A code that stands for the access token once, for a short time, so that the token itself is in no link. */
export interface SignInCodes {
  /** Makes a new code, the text of which is kept nowhere here. The one before it ends. */
  issue(): string;
  /** Whether this is the code: true once, within a minute of its issue. */
  redeem(code: string): boolean;
}

/** Codes of one process. */
export function makeSignInCodes(clock: Clock): SignInCodes {
  let issued: { readonly digest: Buffer; readonly at: Moment } | null = null;
  let wrongCodes = 0;
  return {
    issue() {
      const code = randomBytes(CODE_BYTES).toString('base64url');
      issued = { digest: digestOf(code), at: momentOf(clock) };
      wrongCodes = 0;
      return code;
    },
    // Nothing here waits, so of two requests at the same time one finds the code gone.
    redeem(code) {
      if (issued === null) return false;
      if (elapsedMs(issued.at, clock) >= SIGN_IN_CODE_MS) {
        issued = null;
        return false;
      }
      if (timingSafeEqual(digestOf(code), issued.digest)) {
        issued = null;
        return true;
      }
      wrongCodes++;
      if (wrongCodes >= MAX_WRONG_CODES) issued = null;
      return false;
    },
  };
}

function digestOf(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}
