import type { ErrorDetail } from '../../client/client.d.ts';
import type { Command } from '../commands/command.ts';

/** The options of commands that stand for a parameter of an endpoint. */
const OPTIONS: Readonly<Record<string, string>> = {
  project: '--project',
  iso_timestamp_start: '--from',
  iso_timestamp_end: '--to',
  sql: '--sql',
  lql: '--lql',
  format: '--format',
};

/** How the service writes that a message is about a parameter, and what a parameter may be. */
const NAMED = /\bparameter '([^']+)'/gi;
const EXAMPLE = /\bfor example ([a-z][a-z0-9_]*)=/g;
/** A parameter with its value. */
const VALUE = /\b([A-Za-z_]\w*)=/g;

/** A message of the service in the words of the command line: the options in the place of the parameters. */
export function withOptions(message: string, details: readonly ErrorDetail[], command: Command): string {
  const translated = message.replaceAll(
    NAMED,
    (_, name: string) => ownOption(name, command) ?? `--param ${name}=…`,
  );
  const named = details.flatMap(({ longestWindow }) => Object.keys(longestWindow?.parameters ?? {}));
  const shown = translated.replaceAll(VALUE, (text, name: string) =>
    named.includes(name) ? withValue(name, command) : text,
  );
  const text = shown.replaceAll(EXAMPLE, (_, name: string) => `for example ${withValue(name, command)}`);
  if (shown !== message) return text;
  // What has a place in the query is a parameter of the query, not of the endpoint.
  const [name] = details.flatMap(({ parameter, line }) => (line === undefined ? (parameter ?? []) : []));
  return name === undefined ? text : `${text} (${ownOption(name, command) ?? `--param ${name}=…`})`;
}

/** What stands before a parameter's value. */
function withValue(name: string, command: Command): string {
  const own = ownOption(name, command);
  return own === null ? `--param ${name}=` : `${own} `;
}

/** The command's own option for a parameter; null where `--param` gives it. */
function ownOption(parameter: string, { options }: Command): string | null {
  const own = Object.hasOwn(OPTIONS, parameter) ? OPTIONS[parameter] : undefined;
  return own !== undefined && options.some(({ flag }) => flag === own) ? own : null;
}
