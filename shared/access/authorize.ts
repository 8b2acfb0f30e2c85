import { type ErrorDetail, ServiceError } from '../errors/service-error.ts';
import type { AccessToken } from './access-token.ts';

/** What a route does with the logs. */
export type Right = 'read' | 'write';

/**
 * Decides which kind of route an access token may use: one that may write sources reads nothing, and any other writes
 * nothing. Throws a ServiceError (permission_denied).
 */
export function authorizeRight({ writes }: Pick<AccessToken, 'writes'>, right: Right): void {
  if ((writes === null) === (right === 'read')) return;
  throw refuse(
    right === 'read'
      ? 'This access token may only write logs; use one that may read them.'
      : 'This access token may not write logs; use one that "lqe tokens issue --write <source>" has issued.',
  );
}

/**
 * Decides whether an access token may write to a source; `isOwned` says whether the source's entries have a project. Throws a
 * ServiceError (permission_denied) that lists the sources which it may write, or says that a token which is limited to projects
 * needs a source whose entries have one.
 */
export function authorizeSource(
  { writes, projects }: Pick<AccessToken, 'writes' | 'projects'>,
  source: string,
  isOwned: boolean,
): void {
  authorizeRight({ writes }, 'write');
  const details = [{ parameter: 'source' }];
  if (!writes?.includes(source)) {
    throw refuse(`This access token may write to ${list(writes ?? [])} only.`, details);
  }
  if (projects === null || isOwned) return;
  throw refuse(
    'This access token is limited to projects, and the entries of this source have none; use another token.',
    details,
  );
}

const MAX_LISTED = 20;

/**
 * Decides which project an access token may read. `parameter` is the endpoint's parameter for the project, `project` its
 * value, exactly as it was sent.
 *
 * Throws a ServiceError (permission_denied) when the token is limited to projects and `project` is not character for
 * character one of them. A request without a project is one about all of them, so a token that is limited to projects
 * may not make it, nor use an endpoint without such a parameter.
 */
export function authorize(
  { projects }: Pick<AccessToken, 'projects'>,
  parameter: string | null,
  project: string | undefined,
): void {
  if (projects === null) return;
  if (parameter === null) {
    throw refuse('This access token is limited to projects, and this endpoint reads all; use another token.');
  }
  if (project !== undefined && projects.includes(project)) return;
  throw refuse(
    `This access token is limited to projects; set "${parameter}" to exactly one of ${list(projects)}.`,
    [{ parameter }],
  );
}

/** Whether a token may use an endpoint; to its holder any other endpoint does not exist. */
export function isEndpointAllowed(
  { endpoints }: Pick<AccessToken, 'endpoints'>,
  { id, name }: { readonly id: string; readonly name: string },
): boolean {
  return endpoints === null || endpoints.includes(name) || endpoints.includes(id);
}

function list(names: readonly string[]): string {
  if (names.length === 0) return '(none)';
  const listed = names.slice(0, MAX_LISTED).map((name) => `"${name}"`);
  const rest = names.length - listed.length;
  return listed.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

function refuse(message: string, details: readonly ErrorDetail[] = []): ServiceError {
  return new ServiceError('permission_denied', message, { details });
}
