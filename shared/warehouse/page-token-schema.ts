import * as z from 'zod';
import type { PageToken } from './page-token.ts';

const index = z.int().min(1);

/** What a page token is where it comes back from outside the process. */
export const pageTokenSchema: z.ZodType<PageToken> = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('result'), resultId: z.uuid(), startIndex: index }),
    z.strictObject({ kind: z.literal('worker'), workerId: z.int().min(0), page: pageTokenSchema }),
    z.strictObject({
      kind: z.literal('job'),
      jobId: z.string().regex(/^[\w:.-]{1,1024}$/),
      location: z.string().max(100).optional(),
      startIndex: index,
      rowLimit: index,
    }),
    z.strictObject({ kind: z.literal('window'), page: pageTokenSchema }),
  ]),
);
