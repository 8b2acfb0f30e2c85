import { forbiddenEntry } from '../errors/refused-entry.ts';

/** The column that says whose an entry is. */
export const PROJECT = 'project';

/**
 * The project of an entry, as JSON text: `value`, its own, or where it has none the only one of `projects`. Null where the
 * entry has none and may be of any. Throws a ServiceError (permission_denied) for a project that is not character for
 * character one of `projects`, and for none where there are several.
 */
export function entryProject(
  value: string | null,
  projects: readonly string[] | null,
  index: number,
): string | null {
  if (projects === null) return value;
  const [only] = projects;
  if (value === null && projects.length === 1) return JSON.stringify(only);
  if (value?.startsWith('"') === true && projects.includes(JSON.parse(value))) return value;
  const accepted = projects.map((project) => `"${project}"`).join(', ');
  throw forbiddenEntry(index, PROJECT, `this access token may write entries of ${accepted} only`);
}
