import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { digestToken } from '../../../shared/access/access-token.ts';
import { authenticate } from '../../../shared/access/authenticate.ts';
import { combineTokenStores, memoryTokenStore, type TokenStore } from '../../../shared/access/token-store.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import { tokenRecord } from './support/token-record.ts';

const NOW_MS = Date.parse('2026-03-01T00:00:00Z');
const store = memoryTokenStore([
  tokenRecord('good'),
  tokenRecord('other'),
  tokenRecord('future', { expiresAtMs: NOW_MS + 1 }),
  tokenRecord('past', { expiresAtMs: NOW_MS }),
  tokenRecord('revoked', { revokedAtMs: NOW_MS - 1 }),
  tokenRecord('revoked-and-past', { revokedAtMs: 1, expiresAtMs: 2 }),
  tokenRecord('!~'.repeat(256)),
]);

async function refusal(headers: IncomingHttpHeaders, from: TokenStore = store): Promise<ServiceError> {
  const error = await authenticate(headers, from, NOW_MS).catch((thrown: unknown) => thrown);
  if (error instanceof ServiceError) return error;
  throw new Error('the request was let in, or failed in another way');
}

test('the digest of a token is its SHA-256 in hexadecimal', () => {
  expect(digestToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

describe('authenticate', () => {
  test.each<[string, IncomingHttpHeaders, string]>([
    ['X-API-KEY', { 'x-api-key': 'good' }, 'good'],
    ['Authorization: Bearer', { authorization: 'Bearer good' }, 'good'],
    ['the scheme in another case', { authorization: 'bEARER good' }, 'good'],
    ['more spaces after the scheme', { authorization: 'Bearer   good' }, 'good'],
    ['both headers with one token', { 'x-api-key': 'good', authorization: 'Bearer good' }, 'good'],
    ['another scheme beside X-API-KEY', { 'x-api-key': 'good', authorization: 'Basic eDp5' }, 'good'],
    ['an empty X-API-KEY beside Bearer', { 'x-api-key': '', authorization: 'Bearer good' }, 'good'],
    ['an empty Bearer beside X-API-KEY', { 'x-api-key': 'good', authorization: 'Bearer ' }, 'good'],
    ['a token that has not expired yet', { 'x-api-key': 'future' }, 'future'],
    ['a token of the greatest length', { 'x-api-key': '!~'.repeat(256) }, '!~'.repeat(256)],
  ])('lets in with %s', async (_, headers, name) => {
    expect((await authenticate(headers, store, NOW_MS)).name).toBe(name);
  });

  test.each<[string, IncomingHttpHeaders, RegExp]>([
    ['no header', {}, /no access token; send one in the header "X-API-KEY"/],
    ['empty headers', { 'x-api-key': '', authorization: '' }, /no access token/],
    ['a scheme without a token', { authorization: 'Bearer' }, /no access token/],
    ['another scheme', { authorization: 'Basic Z29vZA==' }, /no access token/],
    ['a bare token in Authorization', { authorization: 'good' }, /no access token/],
    ['a scheme that only begins so', { authorization: 'Bearergood' }, /no access token/],
    ['an unknown token', { 'x-api-key': 'bad' }, /token is unknown; check that it is complete/],
    ['a token in another case', { 'x-api-key': 'GOOD' }, /token is unknown/],
    ['a digest', { 'x-api-key': digestToken('good') }, /token is unknown/],
    ['an expired token, from the very moment', { 'x-api-key': 'past' }, /has expired; ask for a new one/],
    ['a revoked token', { 'x-api-key': 'revoked' }, /was revoked; ask for a new one/],
    ['a token both revoked and expired', { 'x-api-key': 'revoked-and-past' }, /was revoked/],
    ['two known tokens', { 'x-api-key': 'good', authorization: 'Bearer other' }, /different access tokens/],
    ['a repeated header', { 'x-api-key': 'good, good' }, /malformed: it has 1 to 512 visible ASCII/],
    ['a repeated header as a list', { 'x-api-key': ['good', 'good'] as unknown as string }, /malformed/],
    ['a token with a space', { authorization: 'Bearer good good' }, /malformed/],
    ['a token with a tab before it', { authorization: 'Bearer \tgood' }, /malformed/],
    ['a token beyond ASCII', { 'x-api-key': 'göod' }, /malformed/],
    ['a token that is too long', { 'x-api-key': 'x'.repeat(513) }, /malformed/],
    ['a malformed token beside a good one', { 'x-api-key': 'good', authorization: 'Bearer ä' }, /malformed/],
  ])('answers 401 to %s', async (_, headers, message) => {
    const error = await refusal(headers);
    expect(error.kind).toBe('unauthenticated');
    expect(error.code).toBe(401);
    expect(error.message).toMatch(message);
    expect(error.headers['WWW-Authenticate']).toMatch(/^Bearer( error="invalid_token")?$/);
  });

  test('challenges without an error code when nothing was sent (RFC 6750, 3.1)', async () => {
    expect((await refusal({})).headers).toEqual({ 'WWW-Authenticate': 'Bearer' });
  });

  test.each(['secret-unknown', 'secret with space', 'secret-é'])(
    'never repeats the token %s',
    async (token) => {
      const error = await refusal({ 'x-api-key': token });
      expect(JSON.stringify([error.message, error.details, error.headers])).not.toContain('secret');
    },
  );

  test('passes on that the store failed', async () => {
    const failing: TokenStore = {
      find: () => Promise.reject(new ServiceError('unavailable', 'The store is away.')),
    };
    expect((await refusal({ 'x-api-key': 'good' }, combineTokenStores(failing, store))).kind).toBe(
      'unavailable',
    );
  });

  test('asks combined stores in order', async () => {
    const first = memoryTokenStore([tokenRecord('good', { name: 'first' })]);
    const combined = combineTokenStores(first, store);
    expect((await authenticate({ 'x-api-key': 'good' }, combined, NOW_MS)).name).toBe('first');
    expect((await authenticate({ 'x-api-key': 'other' }, combined, NOW_MS)).name).toBe('other');
    expect((await refusal({ 'x-api-key': 'none' }, combined)).kind).toBe('unauthenticated');
    expect((await refusal({ 'x-api-key': 'good' }, combineTokenStores())).kind).toBe('unauthenticated');
  });
});
