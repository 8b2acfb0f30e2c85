import { bindParameters } from '../endpoints/bind-parameters.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { HttpDeps } from '../http/http-deps.ts';
import { makePlanner } from '../http/query/consumer-query.ts';
import { folderState } from '../saved-queries/read-saved-folder.ts';
import { checkedQueries, makeSavedQueries, type SavedQueries } from '../saved-queries/saved-queries.ts';
import type { SavedQuery } from '../saved-queries/saved-query.ts';
import { textOf } from '../warehouse/query-text.ts';

/**
 * The saved queries of a folder, each of which would be accepted if a consumer sent it. Throws a ConfigurationError with a
 * line for each fault. Files that change later are left out while they are wrong, and `warn` hears of it.
 */
export async function openSavedQueries(
  directory: string,
  endpoints: readonly Endpoint[],
  deps: Pick<HttpDeps, 'warehouse' | 'forbiddenNames' | 'nowMicros'>,
  warn: (message: string) => void,
): Promise<SavedQueries> {
  const planner = makePlanner(deps);
  const open = endpoints.filter(({ sandbox }) => sandbox);

  async function check(
    name: string,
    language: SavedQuery['language'],
    query: string,
  ): Promise<string | null> {
    const endpoint = open.find((one) => one.name === name);
    if (endpoint === undefined) return `there is no endpoint ${name}`;
    try {
      const request = new Map(
        endpoint.parameters.map(({ name: parameter, example }) => [parameter, [example]]),
      );
      const bound = await bindParameters(endpoint, request);
      request.set(language, [query]);
      const plan = await planner.plan(endpoint, request, bound, () => {});
      await deps.warehouse.prepare(textOf(plan.query), endpoint.maxRows);
      return null;
    } catch (error) {
      if (error instanceof ServiceError) return error.message;
      throw error;
    }
  }

  const rules = { endpoints: open.map(({ name }) => name), check };
  const state = await folderState(directory);
  const { queries, faults } = await checkedQueries(directory, rules);
  if (faults.length > 0) throw new ConfigurationError(faults.join('\n'));
  return makeSavedQueries(directory, rules, warn, { state, queries });
}
