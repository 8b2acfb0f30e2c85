import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** A function as it is deployed. */
export interface DeployedFunction {
  /** The name of the function, of its entry point and of its folder. */
  readonly name: string;
  /** The module that exports it, from the repository's root. */
  readonly module: string;
  /** The endpoints whose queries it needs. */
  readonly endpoints: readonly string[];
}

/**
 * The functions that know every endpoint: `gateway` answers the paths that the load balancer has no rule for, `warm`
 * refreshes results ahead of requests.
 */
const OF_ALL_ENDPOINTS = ['gateway', 'warm'];

/** The endpoint's name as a function's, which has no dots: `logs.all` is `logs-all`. */
export function functionName(endpoint: string): string {
  return endpoint.replaceAll(/[._]/g, '-');
}

/**
 * One function an endpoint in `queries/`, and those of all endpoints. Throws an Error that names the file which a new
 * endpoint still needs.
 */
export async function deployedFunctions(root: string): Promise<readonly DeployedFunction[]> {
  const files = await readdir(join(root, 'queries'));
  const endpoints = files
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
  const functions = [
    ...endpoints.map((endpoint) => ({ name: functionName(endpoint), endpoints: [endpoint] })),
    ...OF_ALL_ENDPOINTS.map((name) => ({ name, endpoints })),
  ].map((one) => ({ ...one, module: `functions/${one.name}.ts` }));
  for (const { module } of functions) {
    await access(join(root, module)).catch(() => {
      throw new Error(`${module} is missing: it exports the function as make…`);
    });
  }
  return functions;
}
