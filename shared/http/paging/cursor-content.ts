import * as z from 'zod';
import { pageTokenSchema } from '../../warehouse/page-token-schema.ts';
import type { Cursor } from './cursor.ts';

/** What a cursor holds. */
export const cursorContent: z.ZodType<Cursor> = z.strictObject({
  pageToken: pageTokenSchema,
  endpointId: z.string(),
  project: z.string().nullable(),
  isRedacted: z.boolean(),
  hiddenPaths: z.string(),
  maxRows: z.int().min(1),
  window: z.strictObject({ start: z.string().nullable(), end: z.string().nullable() }).nullable(),
  isConsumers: z.boolean(),
  expiresAtMs: z.int(),
});
