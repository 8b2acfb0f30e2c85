import { ConfigurationError } from '../../../errors/configuration-error.ts';

/** DuckDB distinguishes its failures by their text only; the system's words for a full disk, a quota and a file's limit. */
const FAILURES: readonly (readonly [RegExp, (path: string) => string])[] = [
  [
    /file too large/i,
    (path) =>
      `${path} may not grow any more: raise the limit of the size of files (ulimit -f), or load fewer logs`,
  ],
  [
    /no space left on device|disk quota exceeded|failed to offload data block|max_temp_directory_size/i,
    (path) => `the disk is full: free some space on the one that holds ${path}, or load fewer logs`,
  ],
  [
    /out of memory error/i,
    () =>
      'the logs do not fit into the memory limit and the temporary folder; keep them in a database file or load fewer',
  ],
];

/**
 * The ConfigurationError for what an operator can put right when logs could not be stored: disk or memory are too small.
 * `path` is the database file; a message that names another one is about that. Anything else comes back as it is.
 */
export function loadFailure(error: unknown, path: string): unknown {
  const text = messageOf(error);
  const known = FAILURES.find(([pattern]) => pattern.test(text));
  if (known === undefined) return error;
  const [, file = path] = /file "([^"\n]+)"/.exec(text) ?? [];
  return new ConfigurationError(`${known[1](file)}; nothing was changed`);
}

/** The add-on's errors may come from another realm, where they are no instances of our Error. */
function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : String(error);
}
