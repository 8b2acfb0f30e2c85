import { type ErrorDetail, ServiceError } from '../errors/service-error.ts';
import type { AccessToken } from './access-token.ts';

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
