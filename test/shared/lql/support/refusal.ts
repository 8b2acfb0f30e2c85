import { ServiceError } from '../../../../shared/errors/service-error.ts';

/** What an error about a query in LQL tells. */
export interface Refusal {
  readonly message: string;
  readonly reason: string | undefined;
  readonly line: number | undefined;
  readonly column: number | undefined;
}

/** How `work` refuses a query; fails where it does not, or throws something else. */
export function refusalOf(work: () => unknown): Refusal {
  try {
    work();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const [detail] = error.details;
    if (error.kind !== 'invalid_argument' || detail?.parameter !== 'lql') throw error;
    const { reason, line, column } = detail;
    return { message: error.message, reason, line, column };
  }
  throw new Error('nothing was refused');
}
