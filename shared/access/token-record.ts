import * as z from 'zod';
import { SOURCE_NAME } from '../schema/source-name.ts';
import { isoTime } from '../time/iso-timestamp.ts';
import type { AccessToken } from './access-token.ts';
import { hasLimits, NO_LIMITS } from './token-limits.ts';
import { tokenLimits, writeTokenLimits } from './token-limits-schema.ts';

const MAX_NAME_CHARACTERS = 100;
const MAX_LIST_ITEMS = 1000;
const MAX_ITEM_CHARACTERS = 1000;
/** A store's tokens are listed as a whole; in the file one takes some 300 bytes. */
export const MAX_TOKENS = 50_000;

/** What `tokenName` and `tokenList` accept, in words that can end a sentence. */
export const TOKEN_NAME_ACCEPTED = `1 to ${MAX_NAME_CHARACTERS} printable characters, neither beginning nor ending with a space`;
export const TOKEN_LIST_ACCEPTED = `1 to ${MAX_LIST_ITEMS} texts of 1 to ${MAX_ITEM_CHARACTERS} printable characters`;

// Control and format characters are refused, for names and lists are printed on terminals.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** The name of a token, as `TOKEN_NAME_ACCEPTED` says. */
export const tokenName = z
  .string()
  .min(1)
  .max(MAX_NAME_CHARACTERS)
  .refine((text) => !UNPRINTABLE.test(text) && text.trim() === text, {
    message: `must be ${TOKEN_NAME_ACCEPTED}`,
  });

/** The endpoints or projects that a token is limited to, as `TOKEN_LIST_ACCEPTED` says. */
export const tokenList = z
  .array(
    z
      .string()
      .min(1)
      .max(MAX_ITEM_CHARACTERS)
      .refine((text) => !UNPRINTABLE.test(text), { message: 'must have printable characters only' }),
  )
  .min(1)
  .max(MAX_LIST_ITEMS);

/** What `sourceList` accepts, in words that can end a sentence. */
export const SOURCE_LIST_ACCEPTED =
  '1 to 1000 names of sources: lower-case letters, digits and underscores, such as edge_logs';

/** The sources that a token may write, as `SOURCE_LIST_ACCEPTED` says. */
export const sourceList = z
  .array(z.string().regex(SOURCE_NAME, { message: 'must be the name of a source' }))
  .min(1)
  .max(MAX_LIST_ITEMS);

/** What `digestToken` makes of a token. */
export const tokenDigest = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 digest: 64 hexadecimal digits');

const instant = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

const tokenRecord = z
  .strictObject({
    name: tokenName,
    digest: tokenDigest,
    createdAt: instant,
    expiresAt: instant.nullable(),
    revokedAt: instant.nullable(),
    endpoints: tokenList.nullable(),
    projects: tokenList.nullable(),
    writes: sourceList.nullable().default(null),
    limits: tokenLimits.default(NO_LIMITS),
  })
  .transform(
    ({ createdAt, expiresAt, revokedAt, ...record }): AccessToken => ({
      ...record,
      createdAtMs: createdAt,
      expiresAtMs: expiresAt,
      revokedAtMs: revokedAt,
    }),
  );

/** The content of a file of tokens: `{ "tokens": [ … ] }` with times in ISO 8601, no two tokens of one name. */
export const tokenRecords = z
  .strictObject({ tokens: z.array(tokenRecord).max(MAX_TOKENS) })
  .transform(({ tokens }) => tokens)
  .refine((tokens) => hasUnique(tokens, 'name'), { message: 'two tokens have one name' })
  .refine((tokens) => hasUnique(tokens, 'digest'), { message: 'two tokens have one digest' });

/**
 * The inverse of `tokenRecords`: the text of the file. A token without limits has none in the file, so that versions
 * that know of no limits refuse the files that have some, and no others. So it is with tokens that write.
 */
export function formatTokenRecords(tokens: readonly AccessToken[]): string {
  const records = tokens.map(
    ({ name, digest, createdAtMs, expiresAtMs, revokedAtMs, endpoints, projects, writes, limits }) => ({
      name,
      digest,
      createdAt: isoTime(createdAtMs),
      expiresAt: isoTime(expiresAtMs),
      revokedAt: isoTime(revokedAtMs),
      endpoints,
      projects,
      ...(writes === null ? {} : { writes }),
      ...(hasLimits(limits) ? { limits: writeTokenLimits(limits) } : {}),
    }),
  );
  return `${JSON.stringify({ tokens: records }, null, 2)}\n`;
}

function hasUnique(tokens: readonly AccessToken[], key: 'name' | 'digest'): boolean {
  return new Set(tokens.map((token) => token[key])).size === tokens.length;
}
