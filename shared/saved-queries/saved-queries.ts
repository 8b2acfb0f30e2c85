import { join } from 'node:path';
import { type ParsedSavedQuery, parseSavedQuery } from './parse-saved-query.ts';
import { folderState, readSavedFolder } from './read-saved-folder.ts';
import type { SavedQuery } from './saved-query.ts';

/** The saved queries of a folder as they are now. */
export interface SavedQueries {
  list(): Promise<readonly SavedQuery[]>;
}

/** What is right in a folder, and a line for each thing that is not, which names the file. */
export interface CheckedQueries {
  readonly queries: readonly SavedQuery[];
  readonly faults: readonly string[];
}

/** What saved queries are checked against. */
export interface SavedQueryRules {
  /** The endpoints that take ad-hoc queries; the first is the one of files that name none. */
  readonly endpoints: readonly string[];
  /** Why a query over an endpoint cannot run; null where it can. */
  check(endpoint: string, language: SavedQuery['language'], query: string): Promise<string | null>;
}

/** Reads the queries of a folder and checks each. */
export async function checkedQueries(directory: string, rules: SavedQueryRules): Promise<CheckedQueries> {
  const { files, faults: unread } = await readSavedFolder(directory);
  const queries: SavedQuery[] = [];
  const faults = [...unread];
  for (const file of files) {
    const parsed = parseSavedQuery(file);
    const wrong = 'faults' in parsed ? parsed.faults : await misfits(parsed, rules);
    if ('faults' in parsed || wrong.length > 0)
      faults.push(...wrong.map((fault) => `${join(directory, file.file)}: ${fault}`));
    else {
      const { inPlace: _, ...query } = parsed;
      queries.push({ ...query, endpoint: endpointOf(parsed, rules) });
    }
  }
  return { queries, faults };
}

function endpointOf({ endpoint }: ParsedSavedQuery, { endpoints }: SavedQueryRules): string {
  return endpoint ?? endpoints[0] ?? '';
}

async function misfits(parsed: ParsedSavedQuery, rules: SavedQueryRules): Promise<readonly string[]> {
  const endpoint = endpointOf(parsed, rules);
  if (endpoint === '') return ['no endpoint takes ad-hoc queries'];
  if (!rules.endpoints.includes(endpoint)) {
    return [
      `endpoint: there is no '${endpoint.slice(0, 100)}' for ad-hoc queries; it takes ${rules.endpoints.join(', ')}`,
    ];
  }
  const problem = await rules.check(endpoint, parsed.language, parsed.inPlace);
  return problem === null ? [] : [problem];
}

/**
 * The queries of a folder, read again when its files have changed: whoever asks looks at their names, sizes and times. What
 * is wrong by then is left out, and `warn` hears of it once.
 */
export function makeSavedQueries(
  directory: string,
  rules: SavedQueryRules,
  warn: (message: string) => void,
  first: { readonly state: string | null; readonly queries: readonly SavedQuery[] },
): SavedQueries {
  let { state, queries } = first;
  let reading: Promise<readonly SavedQuery[]> | null = null;

  async function look(): Promise<readonly SavedQuery[]> {
    const next = await folderState(directory);
    if (next === state) return queries;
    const checked = await checkedQueries(directory, rules);
    for (const fault of checked.faults) warn(fault);
    // Set only now, so that a look that failed is repeated.
    queries = checked.queries;
    state = next;
    return queries;
  }

  return {
    list() {
      reading ??= look().finally(() => {
        reading = null;
      });
      return reading;
    },
  };
}
