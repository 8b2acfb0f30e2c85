import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { invalidParameter, type ServiceError } from '../../errors/service-error.ts';
import type { TimeRange } from '../../time/time-range.ts';
import { type PageToken, pageExpired } from '../../warehouse/page-token.ts';

/** Where a result goes on, and for whom. */
export interface Cursor {
  /** Where the rows that follow are. */
  readonly pageToken: PageToken;
  /** The endpoint's UUID. */
  readonly endpointId: string;
  /** The project that the first request was about, for the token's limits; null for none. */
  readonly project: string | null;
  /** Whether the rows are redacted. */
  readonly isRedacted: boolean;
  /** Stands for the paths whose values the query has hidden; empty for none. */
  readonly hiddenPaths: string;
  /** Most rows of a page. */
  readonly maxRows: number;
  /** The range of time that the result is of; null where it has none. */
  readonly timeRange: TimeRange | null;
  /** Whether the rows are those of a consumer query, which waits for its turn. */
  readonly isConsumers: boolean;
  /** From when on it is refused, in milliseconds since the epoch. */
  readonly expiresAtMs: number;
}

/** Writes and reads cursors. */
export interface CursorCodec {
  /** Text for a URL that reveals nothing and that only the service can make. */
  seal(cursor: Cursor, tokenDigest: string): string;
  /**
   * Throws a ServiceError: invalid_argument for what is no cursor of this service, or one for another token; gone for one
   * that has expired, or whose content an earlier version of the service has written.
   */
  open(text: string, tokenDigest: string, nowMs: number): Promise<Cursor>;
}

/** How long a caller may take to ask for the next page, in milliseconds. */
export const CURSOR_TTL_MS = 10 * 60 * 1000;

/** Longer than any cursor. */
const MAX_CHARACTERS = 4096;

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** What the key is for: cursors, and nothing else that the secret protects. */
const PURPOSE = 'lqe-cursor-3';

/**
 * Makes cursors under a secret that all instances share. They are encrypted and authenticated (AES-256-GCM, NIST SP
 * 800-38D) together with the token they were given to.
 */
export function makeCursors(secret: string): CursorCodec {
  const key = createHash('sha256').update(`${PURPOSE}\0${secret}`).digest();
  const bound = (tokenDigest: string) => Buffer.from(`${PURPOSE} ${tokenDigest}`);

  function decrypted(text: string, tokenDigest: string): string | null {
    const bytes = Buffer.from(text, 'base64url');
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
    try {
      const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(bound(tokenDigest)).setAuthTag(tag);
      const sealed = bytes.subarray(NONCE_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8');
    } catch {
      return null;
    }
  }

  return {
    seal(cursor, tokenDigest) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(bound(tokenDigest));
      const sealed = Buffer.concat([cipher.update(JSON.stringify(cursor, textOfMicros)), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    async open(text, tokenDigest, nowMs) {
      const content = text.length > MAX_CHARACTERS ? null : decrypted(text, tokenDigest);
      if (content === null) {
        throw invalidParameter(
          'cursor',
          "Parameter 'cursor' is not valid. It accepts what the header Link of an answer to the same access token says.",
        );
      }
      // Loaded for the first who turns a page: a cold start need not wait for it.
      const { cursorContent } = await import('./cursor-content.ts');
      // Only the service can have sealed it, so another form comes from another version.
      const { data: cursor } = cursorContent.safeParse(JSON.parse(content));
      if (cursor === undefined || cursor.expiresAtMs <= nowMs) throw cursorExpired();
      return cursor;
    },
  };
}

/** What a cursor answers that leads to no page any more. */
export function cursorExpired(): ServiceError {
  return pageExpired({ details: [{ parameter: 'cursor' }] });
}

/** JSON has no integers of that length. */
function textOfMicros(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
