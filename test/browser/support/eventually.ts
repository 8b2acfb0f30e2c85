import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';

/** How long a page may take to become what a test expects, on a machine that has other work. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = 50;

type Matchers = ReturnType<typeof expect<unknown>>;
type Matcher = 'toBe' | 'toEqual' | 'toContain' | 'toMatch' | 'toBeGreaterThan' | 'toBeNull';
type Retried<Of> = { readonly [Name in Matcher]: (...expected: readonly unknown[]) => Promise<void> } & Of;

/**
 * `expect` for what a page shows: reads again until the matcher holds, and fails as the matcher does when it does not
 * hold within 30 s. A page changes some time after what a test does to it, so a value that is read once decides nothing.
 */
export function eventually(read: () => Promise<unknown>): Retried<{ readonly not: Retried<unknown> }> {
  return { ...matchers(read, (value) => expect(value)), not: matchers(read, (value) => expect(value).not) };
}

type Expectation = Pick<Matchers, Matcher>;

function matchers(read: () => Promise<unknown>, expectation: (value: unknown) => Expectation) {
  const retried =
    (name: Matcher) =>
    async (...expected: readonly unknown[]): Promise<void> => {
      const end = performance.now() + PATIENCE_MS;
      for (;;) {
        const value = await read();
        try {
          Reflect.apply(expectation(value)[name], undefined, expected);
          return;
        } catch (error) {
          if (performance.now() >= end) throw error;
          await sleep(PAUSE_MS);
        }
      }
    };
  return {
    toBe: retried('toBe'),
    toEqual: retried('toEqual'),
    toContain: retried('toContain'),
    toMatch: retried('toMatch'),
    toBeGreaterThan: retried('toBeGreaterThan'),
    toBeNull: retried('toBeNull'),
  };
}
