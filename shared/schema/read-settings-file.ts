import { readdir, readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { ConfigurationError } from '../errors/configuration-error.ts';

/** The names of the files in a folder in alphabetical order, without hidden ones and subfolders. */
export async function listFiles(directory: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    // A link counts as a file: deployments mount settings as links.
    const files = entries.filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'));
    return files.map((entry) => entry.name).sort();
  } catch (error) {
    throw new ConfigurationError(`${directory}: the folder cannot be read (${reasonOf(error)})`);
  }
}

/** The text of a file. Throws a ConfigurationError when it cannot be read or is not UTF-8. */
export async function readTextFile(path: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
  } catch (error) {
    throw new ConfigurationError(`${path}: the file cannot be read as UTF-8 text (${reasonOf(error)})`);
  }
}

/** The checked content of a JSON file. Throws a ConfigurationError with a line for each thing that is wrong. */
export async function readSettingsFile<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  const text = await readTextFile(path);
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new ConfigurationError(`${path}: not valid JSON: ${oneLine(String((error as Error).message))}`);
  }
  const checked = schema.safeParse(content);
  if (checked.success) return checked.data;
  throw new ConfigurationError(
    checked.error.issues.map((issue) => `${path}: ${describeIssue(issue)}`).join('\n'),
  );
}

/** For example `parameters[0].type: Invalid option: expected one of "STRING"|"INT64"`. */
function describeIssue(issue: z.core.$ZodIssue): string {
  const place = issue.path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');
  const message =
    issue.code === 'unrecognized_keys'
      ? `unknown setting ${issue.keys.map((key) => `'${key}'`).join(', ')}`
      : issue.message;
  return oneLine(place === '' ? message : `${place}: ${message}`);
}

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' ? 'it does not exist' : (code ?? 'unknown reason');
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}
