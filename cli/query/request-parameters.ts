import { printable } from '../../shared/runtime/printable.ts';
import { ISO_TIMESTAMP_ACCEPTED, parseIsoTimestamp } from '../../shared/time/iso-timestamp.ts';
import type { Arguments } from '../arguments/parse-arguments.ts';
import { parseSpan } from '../arguments/parse-span.ts';
import { UsageError } from '../arguments/usage-error.ts';

const START = 'iso_timestamp_start';
const END = 'iso_timestamp_end';

/** What the request means beside its parameters, with the option that says it. */
const OWN_OPTIONS: Readonly<Record<string, string>> = {
  sql: '--sql',
  lql: '--lql',
  format: '--format',
  cursor: '--all',
  explain: '--explain',
};

/**
 * The parameters of the request as the options give them. `nowMs`, the service's present, is asked for only where
 * `--last` counts back from it, and when all else is right. Throws a UsageError for an option that is malformed or
 * given twice, and what `nowMs` throws.
 */
export async function requestParameters(
  given: Arguments,
  nowMs: () => Promise<number>,
): Promise<Readonly<Record<string, string>>> {
  const parameters = new Map<string, string>();
  const set = (name: string, value: string, option: string): void => {
    if (parameters.has(name))
      throw new UsageError(`The parameter ${name} is given twice; leave ${option} out.`);
    parameters.set(name, value);
  };
  const project = given.text('--project');
  if (project !== undefined) set('project', project, '--project');
  const last = given.text('--last');
  const lastMs = last === undefined ? null : parseSpan('--last', last);
  if (lastMs !== null) set(START, '', '--last');
  for (const [option, name] of [
    ['--from', START],
    ['--to', END],
  ] as const) {
    const text = given.text(option);
    if (text === undefined) continue;
    const parsed = parseIsoTimestamp(text);
    if ('problem' in parsed) {
      throw new UsageError(
        `${option} was given ${printable(text)}, but ${parsed.problem}; it takes ${ISO_TIMESTAMP_ACCEPTED}.`,
      );
    }
    set(name, text, option);
  }
  for (const pair of given.texts('--param')) {
    const equals = pair.indexOf('=');
    if (equals < 1) throw new UsageError(`--param takes NAME=VALUE, not ${printable(pair)}.`);
    const name = pair.slice(0, equals);
    const own = Object.hasOwn(OWN_OPTIONS, name) ? OWN_OPTIONS[name] : undefined;
    if (own !== undefined) throw new UsageError(`${name} is no parameter of an endpoint; use ${own}.`);
    set(name, pair.slice(equals + 1), `--param ${name}=…`);
  }
  if (lastMs !== null) parameters.set(START, new Date((await nowMs()) - lastMs).toISOString());
  return Object.fromEntries(parameters);
}
