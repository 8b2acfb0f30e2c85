import { readdir, readFile, stat } from 'node:fs/promises';
import type { z } from 'zod';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { didYouMean } from '../sql/text/nearest-names.ts';

/**
 * The names of the files in a folder in alphabetical order, without hidden ones and subfolders. An optional folder that does
 * not exist has none; any other that cannot be read throws a ConfigurationError.
 */
export async function listFiles(
  directory: string,
  need: 'required' | 'optional' = 'required',
): Promise<readonly string[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    // A link counts as a file: deployments mount settings as links.
    const files = entries.filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'));
    return files.map((entry) => entry.name).sort();
  } catch (error) {
    if (need === 'optional' && (error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new ConfigurationError(`${directory}: the folder cannot be read (${reasonOf(error)})`);
  }
}

/** The text of a file. Throws a ConfigurationError when it is no regular file, cannot be read or is not UTF-8. */
export async function readTextFile(path: string): Promise<string> {
  const isRegular = await stat(path).then(
    (found) => found.isFile(),
    () => true,
  );
  // Reading from a pipe or a device may never end.
  if (!isRegular) throw new ConfigurationError(`${path}: it is no regular file`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
  } catch (error) {
    throw new ConfigurationError(`${path}: the file cannot be read as UTF-8 text (${reasonOf(error)})`);
  }
}

/** What a settings file may hold, in words. */
export interface SettingWords {
  /** What is accepted at a path into the file, in words that follow "it takes"; undefined where nothing more can be said. */
  accepted(path: readonly PropertyKey[]): string | undefined;
  /** The settings that the object at a path has. */
  names(path: readonly PropertyKey[]): readonly string[];
}

const NO_WORDS: SettingWords = { accepted: () => undefined, names: () => [] };

/** The checked content of a JSON file. Throws a ConfigurationError with a line for each thing that is wrong. */
export async function readSettingsFile<T>(
  path: string,
  schema: z.ZodType<T>,
  words: SettingWords = NO_WORDS,
): Promise<T> {
  const checked = checkSettings(schema, await readJsonFile(path), words);
  if ('settings' in checked) return checked.settings;
  throw new ConfigurationError(checked.faults.map((fault) => `${path}: ${fault}`).join('\n'));
}

/** What a JSON file holds. Throws a ConfigurationError where it is none. */
export async function readJsonFile(path: string): Promise<unknown> {
  const text = await readTextFile(path);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ConfigurationError(`${path}: not valid JSON: ${oneLine(String((error as Error).message))}`);
  }
}

/** The settings that a file's content is, or each thing that is wrong with it, by name. */
export function checkSettings<T>(
  schema: z.ZodType<T>,
  content: unknown,
  words: SettingWords = NO_WORDS,
): { readonly settings: T } | { readonly faults: readonly string[] } {
  const checked = schema.safeParse(content, { reportInput: true });
  if (checked.success) return { settings: checked.data };
  // A value may break several rules of one setting, whose words say all of them.
  return { faults: [...new Set(checked.error.issues.flatMap((issue) => describeIssue(issue, words)))] };
}

/** For example `parameters[0].type: is "DATE"; it takes one of STRING, INT64`. */
function describeIssue(issue: z.core.$ZodIssue, words: SettingWords): readonly string[] {
  const { path, code } = issue;
  const place = path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');
  const placed = (message: string) => oneLine(place === '' ? message : `${place}: ${message}`);
  if (code === 'unrecognized_keys') {
    const names = words.names(path);
    return issue.keys.map((key) => placed(`unknown setting '${shortened(key)}'${knownSettings(key, names)}`));
  }
  const accepted = words.accepted(path);
  if (code === 'custom' || accepted === undefined) return [placed(issue.message)];
  return [placed(`${described(issue.input)}; it takes ${accepted}`)];
}

function knownSettings(key: string, names: readonly string[]): string {
  if (names.length === 0) return '';
  const longer = names.find((name) => name.toLowerCase().startsWith(key.toLowerCase()));
  if (longer !== undefined) return `; did you mean ${longer}?`;
  return didYouMean(key, names) || `; the settings are ${names.join(', ')}`;
}

/** Most characters of a file's text that a message repeats. */
const MOST_QUOTED = 60;

function described(value: unknown): string {
  if (value === undefined) return 'is missing';
  if (Array.isArray(value)) return value.length === 0 ? 'is an empty list' : 'is a list';
  if (typeof value === 'object' && value !== null) return 'is an object';
  return `is ${typeof value === 'string' ? JSON.stringify(shortened(value)) : String(value)}`;
}

function shortened(text: string): string {
  const characters = [...text.slice(0, 2 * MOST_QUOTED + 2)];
  return characters.length <= MOST_QUOTED ? text : `${characters.slice(0, MOST_QUOTED).join('')}…`;
}

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' ? 'it does not exist' : (code ?? 'unknown reason');
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}
