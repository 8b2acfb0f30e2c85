import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Column } from '../sql/types/sql-type.ts';

/** An endpoint with the columns of its stored query. */
export interface DescribedEndpoint {
  readonly endpoint: Endpoint;
  readonly columns: readonly Column[];
  /** The only projects that the caller may ask for; null for any. */
  readonly projects: readonly string[] | null;
}
