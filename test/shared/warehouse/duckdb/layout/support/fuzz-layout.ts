import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { checkCase, describeCase, layoutCase } from './layout-case.ts';

const HELP = `npm run fuzz:layout -- [--seed 1] [--runs 1000] [--queries 30] [--seconds 600]

  --seed      the seed of the run; the same one makes the same logs and queries
  --runs      how many logs are made
  --queries   most queries over each
  --seconds   when to stop looking, and shrinking, at the latest
`;

/** Compares the forms of a store over many random logs and queries; prints the smallest case that is wrong. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
      runs: { type: 'string', default: '1000' },
      queries: { type: 'string', default: '30' },
      seconds: { type: 'string', default: '600' },
    },
  });
  const [seed, numRuns, queries, seconds] = [values.seed, values.runs, values.queries, values.seconds].map(
    Number,
  );
  if (![seed, numRuns, queries, seconds].every((value) => Number.isInteger(value) && Number(value) >= 0)) {
    process.stderr.write(HELP);
    return 2;
  }
  const counts = { right: 0, refused: 0, failed: 0, large: 0 };
  const outcome = await fc.check(
    fc.asyncProperty(layoutCase(queries ?? 30), async (made) => {
      for (const verdict of await checkCase(made)) {
        if (verdict.kind === 'wrong') {
          throw new Error(`${verdict.sql}\n${verdict.how}\n${describeCase(made)}`);
        }
        counts[verdict.kind] += 1;
      }
    }),
    { seed: seed ?? 1, numRuns: numRuns ?? 1000, interruptAfterTimeLimit: (seconds ?? 600) * 1000 },
  );
  process.stdout.write(`seed ${seed}, ${outcome.numRuns} logs: ${JSON.stringify(counts)}\n`);
  if (outcome.failed && outcome.errorInstance !== null) {
    process.stdout.write(
      `${outcome.errorInstance instanceof Error ? outcome.errorInstance.message : String(outcome.errorInstance)}\n`,
    );
  }
  return outcome.failed && outcome.errorInstance !== null ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${HELP}`);
  process.exitCode = 2;
}
