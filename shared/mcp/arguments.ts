import { didYouMean } from '../sql/text/nearest-names.ts';
import type { ArgumentsSchema, ToolArguments } from './tool.ts';
import { ToolError } from './tool.ts';

type Scalar = string | number | boolean;

/** Throws a ToolError for an argument that the tool does not have, or for one that it needs and that is missing. */
export function checkArguments({ properties, required }: ArgumentsSchema, given: ToolArguments): void {
  const names = Object.keys(properties);
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(properties, name)) continue;
    const accepted = names.length === 0 ? 'no arguments' : names.join(', ');
    const nearest = didYouMean(name, names);
    const inParameters =
      nearest === '' && Object.hasOwn(properties, 'parameters')
        ? ' Parameters of the endpoint go into "parameters", as in {"parameters": {"name": "value"}}.'
        : '';
    throw new ToolError(
      `There is no argument ${quoted(name)}${nearest || '.'} The tool takes ${accepted}.${inParameters}`,
    );
  }
  const missing = required.find((name) => (given[name] ?? null) === null);
  if (missing === undefined) return;
  throw new ToolError(`The argument ${quoted(missing)} is missing.${acceptedBy(properties[missing])}`);
}

/** What an argument may be, in a sentence with a space before it; nothing where it may be any text. */
function acceptedBy(schema: Readonly<Record<string, unknown>> | undefined): string {
  return Array.isArray(schema?.enum) ? ` It takes one of ${schema.enum.join(', ')}.` : '';
}

/** A text argument; null where it is absent, null or empty. */
export function textArgument(given: ToolArguments, name: string): string | null {
  const value = given[name] ?? null;
  if (value === null || value === '') return null;
  if (typeof value === 'string') return value;
  throw new ToolError(`The argument ${quoted(name)} takes a string.`);
}

/** Values for parameters of an endpoint: strings, numbers and booleans; those that are null are absent. */
export function parameterValues(given: ToolArguments): Readonly<Record<string, Scalar>> {
  const values: [string, Scalar][] = [];
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue;
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
      throw new ToolError(`The value of ${quoted(name)} has to be a string, a number or a boolean.`);
    }
    values.push([name, value]);
  }
  return Object.fromEntries(values);
}

/** What the service is asked for besides: agents do not compute with microseconds. */
export const READABLE_TIMES = { timestamps: 'iso' } as const;

/** An argument that is an object; empty where it is absent or null. */
export function objectArgument(given: ToolArguments, name: string): ToolArguments {
  const value = given[name] ?? null;
  if (value === null) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as ToolArguments;
  throw new ToolError(`The argument ${quoted(name)} takes an object of names and values.`);
}

/** Most characters of a caller's name that an error repeats. */
const MAX_SHOWN = 100;

/**
 * A caller's name for an error message: as JSON text, with `…` in place of what follows the first `MAX_SHOWN`
 * characters.
 */
export function quoted(name: string): string {
  return JSON.stringify(name.length <= MAX_SHOWN ? name : `${name.slice(0, MAX_SHOWN)}…`);
}
