import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const report = z.object({
  complete: z.boolean(),
  operations: z.object({ selected: z.int(), tested: z.int() }),
  test_cases: z.object({ generated: z.int(), with_failures: z.int(), without_checks: z.int() }),
  errors: z.array(z.unknown()),
});

/** How many test cases went well and how many did not; an operation that was not tested is one that did not. */
export async function readReport(
  file: string,
): Promise<{ readonly passed: number; readonly failed: number }> {
  const { complete, operations, test_cases, errors } = report.parse(JSON.parse(await readFile(file, 'utf8')));
  const untested = operations.selected - operations.tested;
  const { generated, with_failures, without_checks } = test_cases;
  return {
    passed: generated - with_failures - without_checks,
    failed: with_failures + errors.length + untested + (complete ? 0 : 1),
  };
}
