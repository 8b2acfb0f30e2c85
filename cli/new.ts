import { access, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { ENDPOINT_SETTINGS } from '../shared/endpoints/endpoint-settings.ts';
import { functionName } from '../shared/endpoints/function-name.ts';
import { processContext } from '../shared/runtime/config-context.ts';
import { printable } from '../shared/runtime/printable.ts';
import { SETTINGS } from '../shared/runtime/settings.ts';
import { commandHelp } from './arguments/help-text.ts';
import { parseArguments } from './arguments/parse-arguments.ts';
import { readSetting } from './arguments/read-setting.ts';
import { UsageError } from './arguments/usage-error.ts';
import { NEW } from './commands/new.ts';
import { factoryName, functionText, queryText, settingsText } from './new/endpoint-files.ts';
import { withFunction } from './new/register-function.ts';
import { type PlannedFile, writeFiles } from './new/write-files.ts';

/**
 * Runs `lqe new endpoint NAME` and answers the exit code. Throws a UsageError for a name that is invalid or taken, and a
 * ConfigurationError where files cannot be written; nothing is written then.
 */
export async function runNew(argv: readonly string[], process: NodeJS.Process): Promise<number> {
  const { env, stdout } = process;
  const given = parseArguments(argv, NEW);
  if (given.wantsHelp) {
    stdout.write(commandHelp(NEW));
    return 0;
  }
  const [, name = ''] = given.operands;
  checkName(name);
  const { builtInQueries, workingDirectory } = processContext(false);
  const root = dirname(builtInQueries);
  const hasFunctions = await isThere(join(root, 'functions/index.ts'));
  const setting = readSetting(SETTINGS.queries, given, env);
  const folder =
    setting === undefined
      ? hasFunctions
        ? builtInQueries
        : resolve(workingDirectory, 'queries')
      : resolve(workingDirectory, setting);
  const isCheckout = hasFunctions && folder === builtInQueries;
  const files = [...queryFiles(folder, name), ...(isCheckout ? await functionFiles(root, name) : [])];
  for (const { path, isNew } of files) {
    if (isNew && (await isThere(path))) {
      throw new UsageError(`${shown(path, workingDirectory)} exists already; choose another name.`);
    }
  }
  await writeFiles(files);
  for (const { path, isNew } of files) {
    stdout.write(`${isNew ? 'Wrote' : 'Changed'} ${shown(path, workingDirectory)}\n`);
  }
  stdout.write(whatNext(name, isCheckout ? null : shown(folder, workingDirectory)));
  return 0;
}

function checkName(name: string): void {
  const { schema, accepts } = ENDPOINT_SETTINGS.name;
  const checked = schema.safeParse(name);
  if (checked.success) return;
  const [issue] = checked.error.issues;
  const reason = issue?.code === 'custom' ? `; it ${issue.message}` : '';
  throw new UsageError(`NAME takes ${accepts}, not ${printable(name)}${reason}.`);
}

function queryFiles(folder: string, name: string): readonly PlannedFile[] {
  return [
    { path: join(folder, `${name}.json`), text: settingsText(name), isNew: true },
    { path: join(folder, `${name}.sql`), text: queryText(name), isNew: true },
  ];
}

async function functionFiles(root: string, name: string): Promise<readonly PlannedFile[]> {
  const index = join(root, 'functions/index.ts');
  const called = functionName(name);
  const registered = withFunction(await readFile(index, 'utf8'), called, factoryName(name));
  return [
    { path: join(root, 'functions', `${called}.ts`), text: functionText(name), isNew: true },
    { path: index, text: registered, isNew: false },
  ];
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** As it is written from where the command was called. */
function shown(path: string, workingDirectory: string): string {
  const way = relative(workingDirectory, path);
  return way.startsWith('..') ? path : way || basename(path);
}

function whatNext(name: string, folder: string | null): string {
  const start =
    folder === null
      ? 'npm start'
      : `lqe start --queries ${/^[\w./-]+$/.test(folder) ? folder : JSON.stringify(folder)}`;
  return [
    `\nNext: change ${name}.json and ${name}.sql, whose comments say what is what.`,
    `"${start}" checks them and prints a call of the endpoint.`,
    ...(folder === null
      ? [
          '"npm run client:types" gives the client its types, "npm run openapi:examples" the OpenAPI document its examples.',
        ]
      : []),
    '',
  ].join('\n');
}
