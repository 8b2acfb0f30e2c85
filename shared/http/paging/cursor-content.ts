import * as z from 'zod';
import { pageTokenSchema } from '../../warehouse/page-token-schema.ts';

const micros = z
  .string()
  .regex(/^-?\d{1,18}$/)
  .transform(BigInt)
  .nullable();

/** What a cursor holds. */
export const cursorContent = z.strictObject({
  pageToken: pageTokenSchema,
  endpointId: z.string(),
  project: z.string().nullable(),
  isRedacted: z.boolean(),
  hiddenPaths: z.string(),
  maxRows: z.int().min(1),
  timeRange: z.strictObject({ after: micros, upTo: micros }).nullable(),
  isConsumers: z.boolean(),
  expiresAtMs: z.int(),
});
