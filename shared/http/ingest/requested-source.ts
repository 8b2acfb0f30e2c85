import type { AccessToken } from '../../access/access-token.ts';
import { authorizeSource } from '../../access/authorize.ts';
import { invalidParameter } from '../../errors/service-error.ts';
import type { SourceNames } from '../../schema/load-source-names.ts';
import type { TableSchemas } from '../../schema/table-schema.ts';
import { PROJECT_COLUMN } from '../../warehouse/stored-dataset.ts';
import type { RequestParameters } from '../request/request-parameters.ts';

const NAMES = ['source', 'source_name'];

/**
 * The source that a request writes to: `source` or `source_name`, by its own name or by another one of the table of names.
 * Throws a ServiceError: invalid_argument for a missing, doubled or unknown name, permission_denied for a source that the token
 * may not write.
 */
export function requestedSource(
  request: RequestParameters,
  token: AccessToken,
  { schemas, sourceNames }: { readonly schemas: TableSchemas; readonly sourceNames: SourceNames },
): string {
  const given = NAMES.flatMap((parameter) =>
    (request.get(parameter) ?? []).filter((name) => name !== '').map((name) => ({ parameter, name })),
  );
  const [first, second] = given;
  const accepted = `It accepts ${(token.writes ?? []).join(', ')}, and the other names of these sources.`;
  if (first === undefined) {
    throw invalidParameter('source', `Parameter 'source' is missing. ${accepted}`);
  }
  if (second !== undefined) {
    throw invalidParameter(
      second.parameter,
      `The source is given twice; send 'source' or 'source_name' once.`,
    );
  }
  const source = schemas.has(first.name) ? first.name : sourceNames.get(first.name);
  if (source === undefined || !schemas.has(source)) {
    throw invalidParameter(first.parameter, `Parameter '${first.parameter}' names no source. ${accepted}`);
  }
  const isOwned = schemas.get(source)?.some(({ name }) => name.toLowerCase() === PROJECT_COLUMN) === true;
  authorizeSource(token, source, isOwned);
  return source;
}
