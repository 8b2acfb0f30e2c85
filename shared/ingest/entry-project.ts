import { forbiddenEntry } from '../errors/refused-entry.ts';
import { PROJECT_COLUMN } from '../warehouse/stored-dataset.ts';

/** Whose the entries of a request are. */
export interface EntryOwners {
  /** The projects that the entries may be of; null for any. */
  readonly projects: readonly string[] | null;
  /** The project of entries that name none and may be of any; null leaves them without. */
  readonly defaultProject: string | null;
}

/**
 * The project of an entry, as JSON text: `value`, its own, or where it has none the only one of `projects`; where any may be,
 * the default one. Null where the entry has none and there is no default. Throws a ServiceError (permission_denied) for a project that is not character for
 * character one of `projects`, and for none where there are several.
 */
export function entryProject(
  value: string | null,
  { projects, defaultProject }: EntryOwners,
  index: number,
): string | null {
  if (projects === null) return value ?? (defaultProject === null ? null : JSON.stringify(defaultProject));
  const [only] = projects;
  if (value === null && projects.length === 1) return JSON.stringify(only);
  if (value?.startsWith('"') === true && projects.includes(JSON.parse(value))) return value;
  const accepted = projects.map((project) => `"${project}"`).join(', ');
  throw forbiddenEntry(index, PROJECT_COLUMN, `this access token may write entries of ${accepted} only`);
}
