import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { planSealed } from '../../shared/results/sealed/sealed-plan.ts';
import type { TableSchemas } from '../../shared/schema/table-schema.ts';
import { confirmedFacts } from '../../shared/sql/second-reader/confirmed-facts.ts';
import { STORED_DATASET } from '../../shared/warehouse/stored-dataset.ts';
import { error, type Finding } from './finding.ts';

/**
 * Looks whether both readers of stored queries find the same tables, query parameters and CTEs in each, and whether answers can
 * be put together from parts where the settings ask for it.
 */
export async function checkQueries(
  endpoints: readonly Endpoint[],
  schemas: TableSchemas,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const endpoint of endpoints) {
    try {
      await confirmedFacts(endpoint, STORED_DATASET, schemas);
      planSealed(endpoint, schemas);
    } catch (thrown) {
      if (!(thrown instanceof ServiceError)) throw thrown;
      const problem = `${endpoint.name}.sql: ${thrown.message}`;
      findings.push(error('queries', problem, 'mend the stored query; "npm run build" stops for it as well'));
    }
  }
  return findings;
}
