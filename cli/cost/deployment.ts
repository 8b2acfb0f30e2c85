import { fileURLToPath } from 'node:url';
import { ConfigurationError } from '../../shared/errors/configuration-error.ts';
import type { ByteCaps } from '../../shared/results/byte-cap.ts';
import { readTerraform } from './terraform-values.ts';

/** How finely log tables are partitioned. */
export type PartitionBy = 'HOUR' | 'DAY';

/** What Terraform deploys when no variable is set. */
export interface Deployment {
  readonly retentionDays: number;
  readonly partitionBy: PartitionBy;
  readonly minInstances: number;
  /** Of one endpoint's function. */
  readonly maxInstances: number;
  /** Requests that one instance has at the same time. */
  readonly concurrency: number;
  readonly cpus: number;
  readonly memoryMib: number;
  /** Seconds after which a stored query is stopped. */
  readonly deadlineSeconds: number;
  /** Consumers' queries of one token in one instance. */
  readonly consumerRunning: number;
  readonly consumerWaiting: number;
  /** What the service lets one query bill. */
  readonly byteCaps: ByteCaps;
  /** Requests of one address. */
  readonly rateLimitPerMinute: number;
  readonly armorRules: number;
  readonly warmConcurrency: number;
  readonly warmDeadlineSeconds: number;
  readonly warmMaxBytes: number;
  /** Seconds after which a set that no caller asks for goes cold. */
  readonly warmWindowSeconds: number;
}

/** Where the Terraform files of this program lie. */
export const TERRAFORM_FOLDER = fileURLToPath(new URL('../../terraform', import.meta.url));

/** Reads it from the files themselves. Throws a ConfigurationError. */
export async function readDeployment(directory: string = TERRAFORM_FOLDER): Promise<Deployment> {
  const values = await readTerraform(directory);
  const variable = (name: string) => values.number(values.variable(name));
  const assigned = (name: string) => values.number(values.assigned(name));
  const partitionBy = values.variable('partition_by');
  if (partitionBy !== 'HOUR' && partitionBy !== 'DAY')
    throw new ConfigurationError(`${directory}: partition_by is neither HOUR nor DAY`);
  return {
    retentionDays: variable('retention_days'),
    partitionBy,
    minInstances: variable('min_instances'),
    maxInstances: variable('function.max_instances'),
    concurrency: variable('function.concurrency'),
    cpus: assigned('available_cpu'),
    memoryMib: variable('function.memory_mib'),
    deadlineSeconds: assigned('LQE_DEADLINE') / 1000,
    consumerRunning: variable('consumer_queries.running'),
    consumerWaiting: variable('consumer_queries.waiting'),
    byteCaps: {
      consumerMaxBytesBilled: variable('consumer_queries.max_bytes_billed'),
      storedMaxBytesBilled: variable('stored_queries.max_bytes_billed'),
    },
    rateLimitPerMinute: variable('rate_limit_per_minute'),
    armorRules: values.count(/^ {2}rule \{$/gm) + values.count(/^ {4}"[\w-]+" += 1\d{3}$/gm),
    warmConcurrency: assigned('LQE_WARM_CONCURRENCY'),
    warmDeadlineSeconds: assigned('LQE_WARM_DEADLINE') / 1000,
    warmMaxBytes: assigned('LQE_WARM_MAX_BYTES'),
    warmWindowSeconds: assigned('LQE_WARM_WINDOW'),
  };
}
