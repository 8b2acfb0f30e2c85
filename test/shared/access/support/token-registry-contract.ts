import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type AccessToken, digestToken } from '../../../../shared/access/access-token.ts';
import { issueToken } from '../../../../shared/access/issue-token.ts';
import { NO_LIMITS } from '../../../../shared/access/token-limits.ts';
import type { TokenRegistry } from '../../../../shared/access/token-registry.ts';
import type { TokenStore } from '../../../../shared/access/token-store.ts';

/** A registry and the store in which a service finds its tokens, with nothing kept in between. */
export interface OpenStore {
  readonly registry: TokenRegistry;
  readonly store: TokenStore;
  /** Another way to the same tokens, as another process has it. */
  another(): TokenRegistry;
  close(): Promise<void>;
}

const NOW_MS = Date.parse('2026-03-01T00:00:00.123Z');

export function makeToken(name: string, changes: Partial<AccessToken> = {}): AccessToken {
  const request = { name, endpoints: null, projects: null, expiresAtMs: null };
  return { ...issueToken(request, NOW_MS).record, ...changes };
}

/** What every store of tokens promises. `open` opens an empty one. */
export function tokenRegistryContract(name: string, open: () => Promise<OpenStore>): void {
  describe(`${name}, as every store of tokens,`, () => {
    let opened: OpenStore;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());

    it('is empty at first', async () => {
      const { registry, store } = opened;
      expect(await registry.list()).toEqual({ tokens: [], problems: [] });
      expect(await store.find(digestToken('x'))).toBeNull();
      expect(await registry.revoke(digestToken('x'), NOW_MS)).toBe('unknown');
    });

    it.each<[string, Partial<AccessToken>]>([
      ['without limits', {}],
      [
        'that is limited in everything',
        {
          name: 'é 地 "quoted" 🙂',
          expiresAtMs: NOW_MS + 1,
          endpoints: ['logs.all', 'fb4b865d-796e-45ae-a66d-290897e970ac'],
          projects: ['blog', '.*', '  '],
          limits: {
            maxRows: 1,
            maxBytesBilled: 1_000_000_000_000_000,
            maxWindowSeconds: 60,
            requestsPerMinute: 1_000_000,
            sqlDeadlineSeconds: 3_600,
            cpuSecondsPerMinute: 100_000,
          },
        },
      ],
      ['with a limit beside others that are none', { limits: { ...NO_LIMITS, requestsPerMinute: 5 } }],
      ['with the CPU time of its queries', { limits: { ...NO_LIMITS, cpuSecondsPerMinute: 5 } }],
      ['that was revoked', { revokedAtMs: NOW_MS + 5 }],
    ])('gives back a token %s as it was added', async (_, changes) => {
      const { registry, store } = opened;
      const token = makeToken('studio', changes);
      expect(await registry.add(token)).toBe('added');
      expect(await store.find(token.digest)).toEqual(token);
      expect(await registry.list()).toEqual({ tokens: [token], problems: [] });
    });

    it('lists tokens in the order in which they were made', async () => {
      const tokens = ['c', 'a', 'b'].map((one, index) => makeToken(one, { createdAtMs: NOW_MS + index }));
      for (const token of tokens) await opened.registry.add(token);
      expect((await opened.registry.list()).tokens).toEqual(tokens);
    });

    it('gives a name to one token only, to a revoked one as well', async () => {
      const { registry, store } = opened;
      const first = makeToken('studio', { revokedAtMs: NOW_MS });
      await registry.add(first);
      const second = makeToken('studio');
      expect(await registry.add(second)).toBe('name_taken');
      expect(await store.find(second.digest)).toBeNull();
      expect(await registry.add(makeToken('Studio'))).toBe('added');
      expect((await registry.list()).tokens).toHaveLength(2);
    });

    it('gives a name to one of many who want it at the same time', async () => {
      const wanting = Array.from({ length: 8 }, (_, index) =>
        index % 2 ? opened.registry : opened.another(),
      );
      const outcomes = await Promise.all(wanting.map((registry) => registry.add(makeToken('studio'))));
      expect(outcomes.sort()).toEqual(['added', ...Array(7).fill('name_taken')]);
      expect((await opened.registry.list()).tokens).toHaveLength(1);
      await Promise.all(wanting.map((registry) => registry.close()));
    });

    it('revokes a token once, and keeps everything else of it', async () => {
      const { registry, store } = opened;
      const [token, other] = [makeToken('a', { projects: ['blog'] }), makeToken('b')];
      await registry.add(token);
      await registry.add(other);
      expect(await registry.revoke(token.digest, NOW_MS + 7)).toBe('revoked');
      expect(await registry.revoke(token.digest, NOW_MS + 9)).toBe('revoked_before');
      expect(await store.find(token.digest)).toEqual({ ...token, revokedAtMs: NOW_MS + 7 });
      expect(await store.find(other.digest)).toEqual(other);
    });
  });
}
