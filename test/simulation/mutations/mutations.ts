/** A rule of the protocols, broken in one place. */
export interface Mutation {
  /** What the broken code does, in words that follow "code that". */
  readonly name: string;
  /** The rule of test/simulation/invariants that does not hold any more. */
  readonly rule: string;
  readonly file: string;
  /** Stands in the file once. */
  readonly text: string;
  readonly replacement: string;
}

/** Listed with their reasons in test/simulation/README.md. */
export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'replaces newer answers by older ones',
    rule: 'order',
    file: 'shared/cache/firestore/firestore-cache-store.ts',
    text: 'if (!isNewer(current, computedAtMs)) {',
    replacement: 'if (computedAtMs !== null) {',
  },
  {
    name: 'gives what was fresh before the store was waited for',
    rule: 'age',
    file: 'shared/cache/result-cache.ts',
    text: 'if (!isNew && !isFresh(entry, ttlSeconds, clock)) continue;',
    replacement: '',
  },
  {
    name: 'keeps redacted and open answers under one key',
    rule: 'own redaction',
    file: 'shared/cache/cache-key.ts',
    text: '[...new Set(parts.redaction)].sort(),',
    replacement: '[],',
  },
  {
    name: 'leaves the parameters out of the key',
    rule: 'own answer',
    file: 'shared/cache/cache-key.ts',
    text: '.map(([name, { type, value }]) => [name, type, valueText(value)]);',
    replacement: '.map(([name, { type }]) => [name, type]);',
  },
  {
    name: 'takes leases that others hold',
    rule: 'one run',
    file: 'shared/cache/firestore/firestore-leases.ts',
    text: 'if (isLeaseLive(snapshot)) return { lease: null };',
    replacement: '',
  },
  {
    name: 'waits for Firestore without end',
    rule: 'waiters end',
    file: 'shared/concurrency/within.ts',
    text: 'return await Promise.race([answered, tooLate]);',
    replacement: 'return await answered;',
  },
  {
    name: 'counts the time that a token is known from the answer',
    rule: 'revocation',
    file: 'shared/access/caching-token-store.ts',
    text: '(token === null ? unknown : known).set(digest, { token, askedAt });',
    replacement: '(token === null ? unknown : known).set(digest, { token, askedAt: momentOf(clock) });',
  },
  {
    name: 'lets who asks for a token join a look from before its machine stood still',
    rule: 'revocation',
    file: 'shared/access/caching-token-store.ts',
    text: 'if (joined !== undefined && isRecent(joined)) return joined.token;',
    replacement: 'if (joined !== undefined) return joined.token;',
  },
  {
    name: 'lets an instance that stopped keep its leases',
    rule: 'warming',
    file: 'shared/cache/firestore/firestore-leases.ts',
    text: 'return ageMs < Math.min(durationMs, MAX_DURATION_MS);',
    replacement: 'return ageMs >= 0 && MAX_DURATION_MS > 0;',
  },
  {
    name: 'warms what was asked for long ago',
    rule: 'warming',
    file: 'shared/warming/firestore/firestore-demand-log.ts',
    text: ".where('askedAt', '>', since)",
    replacement: ".where('askedAt', '<=', readTime)",
  },
  {
    name: 'gives an answer before its set is noted',
    rule: 'warming',
    file: 'shared/warming/recorder.ts',
    text: 'await within(clock, RECORD_WAIT_MS, () => noting)',
    replacement: 'await within(clock, 1, () => noting)',
  },
  {
    name: 'counts the sets of a token before the transaction that adds one',
    rule: 'sets per token',
    file: 'shared/warming/firestore/firestore-demand-log.ts',
    text: "const own = await transaction.get(oldestFirst.limit(setsPerToken + EXCESS).select('askedAt'));",
    replacement: "const own = await oldestFirst.limit(setsPerToken + EXCESS).select('askedAt').get();",
  },
  {
    name: 'gives a name to every token that wants it',
    rule: 'token names',
    file: 'shared/access/firestore/firestore-token-registry.ts',
    text: "if (taken !== undefined) return taken.id === token.digest ? 'added' : 'name_taken';",
    replacement: "if (taken?.id === token.digest) return 'added';",
  },
];
