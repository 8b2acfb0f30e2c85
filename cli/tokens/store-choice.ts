import { badValue } from '../../shared/runtime/read-arguments.ts';
import { SETTINGS, type Setting } from '../../shared/runtime/settings.ts';
import { UsageError } from '../arguments/usage-error.ts';

/** Which store of tokens a command is about. */
export type StoreChoice =
  | { readonly store: 'file' }
  | { readonly store: 'firestore'; readonly googleProject: string; readonly database: string };

/** The options that choose a store, as they are given on the command line. */
export interface StoreTexts {
  readonly store: string | undefined;
  readonly googleProject: string | undefined;
  readonly tokenDatabase: string | undefined;
}

const DEFAULT_DATABASE = '(default)';

/**
 * The store that options and environment choose; options win, an empty variable counts as not set. Throws a
 * UsageError that names the option and its variable.
 */
export function chooseStore(
  texts: StoreTexts,
  env: Readonly<Record<string, string | undefined>>,
): StoreChoice {
  const store = read({ ...SETTINGS.tokenStore, flag: '--store' }, texts.store, env) ?? 'file';
  if (store === 'file') {
    refuseFor('--google-project', texts.googleProject);
    refuseFor('--token-database', texts.tokenDatabase);
    return { store };
  }
  const googleProject = read(SETTINGS.googleProject, texts.googleProject, env);
  if (googleProject === undefined) {
    throw new UsageError(
      'Tokens in Firestore need --google-project (or LQE_GOOGLE_PROJECT): the Google Cloud project of the database.',
    );
  }
  const database =
    read(SETTINGS.tokenDatabase, texts.tokenDatabase, env) ??
    read(SETTINGS.firestoreDatabase, undefined, env) ??
    DEFAULT_DATABASE;
  return { store, googleProject, database };
}

function read<T>(
  setting: Setting<T>,
  option: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): T | undefined {
  const text = option ?? (env[setting.env] || undefined);
  if (text === undefined) return undefined;
  const value = text === '' ? undefined : setting.kind.parse(text);
  if (value === undefined) throw new UsageError(`${badValue(setting, text)}.`);
  return value;
}

function refuseFor(option: string, text: string | undefined): void {
  if (text !== undefined) throw new UsageError(`${option} needs --store firestore.`);
}
