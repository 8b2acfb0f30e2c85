import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Endpoint } from '../shared/endpoints/endpoint.ts';
import { functionName } from '../shared/endpoints/function-name.ts';

/** A function as it is deployed. */
export interface DeployedFunction {
  /** The name of the function, of its entry point and of its folder. */
  readonly name: string;
  /** The module that exports it, from the repository's root. */
  readonly module: string;
  /** The endpoints whose queries it needs. */
  readonly endpoints: readonly string[];
  /** The endpoints whose queries it runs: `warm` runs those that are kept warm. */
  readonly runs: readonly string[];
  /** Whether it serves the explorer, where the deployment has it. */
  readonly explorer: boolean;
}

/**
 * One function for each endpoint; `gateway`, which answers the paths that the load balancer has no rule for; `ingest`, which
 * takes entries; and `warm`, which refreshes results ahead of requests. Throws an Error that names the file which a new endpoint still needs.
 */
export async function deployedFunctions(
  root: string,
  endpoints: readonly Pick<Endpoint, 'name' | 'warmEverySeconds'>[],
): Promise<readonly DeployedFunction[]> {
  const all = endpoints.map(({ name }) => name).sort();
  const warmed = endpoints.filter(({ warmEverySeconds }) => warmEverySeconds !== null);
  const functions = [
    ...all.map((endpoint) => ({ name: functionName(endpoint), endpoints: [endpoint], runs: [endpoint] })),
    { name: 'gateway', endpoints: all, runs: all },
    { name: 'ingest', endpoints: [], runs: [] },
    { name: 'warm', endpoints: all, runs: warmed.map(({ name }) => name) },
  ].map((one) => ({ ...one, module: `functions/${one.name}.ts`, explorer: one.name === 'gateway' }));
  for (const { module } of functions) {
    await access(join(root, module)).catch(() => {
      throw new Error(`${module} is missing: it exports the function as make…`);
    });
  }
  return functions;
}
