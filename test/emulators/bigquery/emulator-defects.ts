/**
 * Promises that the emulator breaks where BigQuery itself keeps them, with the reason. All its own wording of errors is
 * listed too: BigQuery's words are what the messages are checked for.
 */
const REASONS: readonly (readonly [reason: string, promises: readonly string[]])[] = [
  [
    'its formatter cannot write a CAST to FLOAT64 of nan or inf',
    [
      `CAST('nan' AS FLOAT64) is "NaN"`,
      `CAST('inf' AS FLOAT64) is "Infinity"`,
      `CAST('-inf' AS FLOAT64) is "-Infinity"`,
      `[CAST('nan' AS FLOAT64), 0.5] is ["NaN",0.5]`,
    ],
  ],
  [
    'it binds NaN and the infinities as NULL',
    ['FLOAT64 "NaN" comes back as it was bound', 'FLOAT64 "-Infinity" comes back as it was bound'],
  ],
  ['it has no unary minus over columns', ['a negation too large: is no mistake where no row gets there']],
  [
    'it says what is wrong in other words, or does not notice',
    [
      'division by zero',
      'DIV by zero',
      'MOD by zero',
      'text that is no number',
      'text that is no fraction',
      'text that is no truth',
      'text that is no timestamp',
      'text that is no JSON',
      'an invalid date',
      'a sum too large',
      'a product too large',
      'a negation too large',
      'an absolute value too large',
      'a total too large',
      'a fraction too large for INT64',
      'a power too large',
      'a root of a negative number',
      'a date beyond the calendar',
      'a regular expression that does not end',
      'a regular expression from the data',
      'an unknown time zone',
      'a scalar subquery with two rows',
      'a sequence that never ends',
      'an index beyond an array',
      'an index before an array',
      'a negative length',
      'a repetition without an end',
      'bytes that are no text',
      'an invalid code point',
    ].map((failed) => `${failed}: says what, and nothing of the inside`),
  ],
];

/** The reasons by promise, for warehouseContract. */
export const EMULATOR_DEFECTS: ReadonlyMap<string, string> = new Map(
  REASONS.flatMap(([reason, promises]) => promises.map((promise) => [promise, reason] as const)),
);

/** The conformance cases that the emulator fails, by id, with the reason. */
export const EMULATOR_CASE_DEFECTS: ReadonlyMap<string, string> = new Map([
  ['x-runtime-overflow-8', 'it lets a sum of INT64 wrap around'],
  ['x-runtime-domain-17', 'it answers something for a sequence whose step is 0'],
]);
