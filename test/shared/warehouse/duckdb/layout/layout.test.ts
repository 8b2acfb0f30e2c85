import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkCase, describeCase, layoutCase } from './support/layout-case.ts';

// `npm run fuzz:layout` makes many more. A failure names its seed and the smallest case that fails.
test('random queries over random entries answer what is in the entries, in whichever form these are stored', async () => {
  const counts = { right: 0, refused: 0, failed: 0, large: 0 };
  await fc.assert(
    fc.asyncProperty(layoutCase(20), async (made) => {
      for (const verdict of await checkCase(made)) {
        if (verdict.kind === 'wrong')
          throw new Error(`${verdict.sql}\n${verdict.how}\n${describeCase(made)}`);
        counts[verdict.kind] += 1;
      }
    }),
    { numRuns: 15 },
  );
  expect(counts.refused + counts.failed + counts.large).toBeLessThan(counts.right);
});
