import * as z from 'zod';
import type { Cursor } from './cursor.ts';

/** What a cursor holds. */
export const cursorContent: z.ZodType<Cursor> = z.strictObject({
  rest: z.string().min(1),
  endpointId: z.string(),
  project: z.string().nullable(),
  isRedacted: z.boolean(),
  hiddenPaths: z.string(),
  maxRows: z.int().min(1),
  window: z.strictObject({ start: z.string().nullable(), end: z.string().nullable() }).nullable(),
  isConsumers: z.boolean(),
  expiresAtMs: z.int(),
});
