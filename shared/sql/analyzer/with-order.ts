import type { Cte } from '../ast/query.ts';
import { walkQuery } from '../ast/walk-query.ts';
import { analysisError, type Environment } from './environment.ts';

/** A CTE of WITH RECURSIVE. */
export interface OrderedCte {
  readonly cte: Cte;
  /** Where it names itself first; null for one that does not. */
  readonly recursiveAt: number | null;
}

/**
 * The CTEs of WITH RECURSIVE, each after those that it names. Throws a ServiceError (invalid_argument) where several name each
 * other in a circle. A name in FROM always means the CTE of this WITH: no WITH inside may define it again.
 */
export function withOrder(environment: Environment, ctes: readonly Cte[]): readonly OrderedCte[] {
  const known = new Map(ctes.map((cte) => [cte.name.toLowerCase(), cte]));
  const names = new Map(ctes.map((cte) => [cte, namesIn(environment, cte, known)]));
  const ordered: OrderedCte[] = [];
  const done = new Set<Cte>();
  const visit = (cte: Cte, path: readonly Cte[]): void => {
    if (done.has(cte)) return;
    const start = path.indexOf(cte);
    if (start >= 0) {
      const circle = [...path.slice(start), cte].map(({ name }) => name).join(' => ');
      const message = `CTEs of WITH RECURSIVE name each other in a circle: ${circle}; a CTE may only name itself`;
      throw analysisError(environment, cte.at, message);
    }
    const named = names.get(cte) ?? new Map<Cte, number>();
    for (const other of named.keys()) if (other !== cte) visit(other, [...path, cte]);
    done.add(cte);
    ordered.push({ cte, recursiveAt: named.get(cte) ?? null });
  };
  for (const cte of ctes) visit(cte, []);
  return ordered;
}

/** The CTEs that one names in FROM, with the first place of each. */
function namesIn(
  environment: Environment,
  { query }: Cte,
  known: ReadonlyMap<string, Cte>,
): ReadonlyMap<Cte, number> {
  const named = new Map<Cte, number>();
  for (const { node } of walkQuery(query)) {
    if ('ctes' in node) {
      const again = node.ctes.find(({ name }) => known.has(name.toLowerCase()));
      if (again !== undefined) {
        const message = `WITH inside a CTE of WITH RECURSIVE cannot define ${again.name} again; choose another name`;
        throw analysisError(environment, again.at, message);
      }
    }
    if (node.kind !== 'table' || node.path.length !== 1) continue;
    const cte = known.get(node.path[0]?.toLowerCase() ?? '');
    if (cte !== undefined && !named.has(cte)) named.set(cte, node.at);
  }
  return named;
}
