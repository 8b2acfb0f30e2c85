import { type ErrorDetail, ServiceError } from '../errors/service-error.ts';

/** Where the rows of a result go on, as the warehouse that stores them knows it. */
export type PageToken =
  /** In a result that the embedded engine has open. */
  | { readonly kind: 'result'; readonly resultId: string; readonly startIndex: number }
  /** In the process of a query worker, which stores the page. */
  | { readonly kind: 'worker'; readonly workerId: number; readonly page: PageToken }
  /** In the result of a finished BigQuery job, of which `rowLimit` rows can be read. */
  | {
      readonly kind: 'job';
      readonly jobId: string;
      readonly location?: string | undefined;
      readonly startIndex: number;
      readonly rowLimit: number;
    }
  /** In a window of time; older rows may follow those of the page. */
  | { readonly kind: 'window'; readonly page: PageToken };

/** What the rest of a result answers that is no longer stored, or never was. */
export function pageExpired(
  options: { readonly cause?: unknown; readonly details?: readonly ErrorDetail[] } = {},
): ServiceError {
  return new ServiceError('gone', 'The rest of this result has expired; run the query again.', options);
}
