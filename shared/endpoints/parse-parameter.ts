import { nounFor } from '../errors/noun-for.ts';
import { isPlainRe2 } from '../re2/is-plain-re2.ts';
import type { ParameterType, QueryParameter } from '../sql/types/query-parameter.ts';
import { ISO_TIMESTAMP_ACCEPTED, parseIsoTimestamp } from '../time/iso-timestamp.ts';
import type { ParameterSpec } from './endpoint.ts';

type Parsed = { readonly value: NonNullable<QueryParameter['value']> } | { readonly problem: string };

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;
/** Most characters of a caller's own text that a message repeats. */
const MAX_ECHO = 60;

const ACCEPTED: Readonly<Record<ParameterType, string>> = {
  STRING: 'text',
  INT64: `a whole number from ${MIN_INT64} to ${MAX_INT64}`,
  FLOAT64: 'a decimal number such as 12, -0.5 or 1e6',
  BOOL: 'true or false',
  TIMESTAMP: ISO_TIMESTAMP_ACCEPTED,
};

/** What a parameter accepts, in words that follow "it accepts". */
export function acceptedBy(spec: ParameterSpec): string {
  if (spec.allowed !== null) return listOf(spec.allowed);
  if (spec.format === 're2') return `a regular expression in RE2 syntax of at most ${characters(spec)}`;
  if (spec.type === 'STRING') return `text of at most ${characters(spec)}`;
  return ACCEPTED[spec.type];
}

/** Reads the text of a value that is not empty, or says what is wrong with it. */
export async function parseParameter(spec: ParameterSpec, text: string): Promise<Parsed> {
  const problem = checkText(spec, text);
  if (problem !== undefined) return { problem };
  if (spec.allowed !== null && !spec.allowed.includes(text))
    return { problem: `${echo(text)} is not one of its values` };
  if (spec.format === 're2' && !isPlainRe2(text)) return parseRe2(text);
  return parseTyped(spec.type, text);
}

/** A regular expression's value is its portable spelling, so that every warehouse reads it alike. */
async function parseRe2(text: string): Promise<Parsed> {
  const { checkRe2 } = await import('../re2/check-re2.ts');
  const checked = checkRe2(text);
  if (checked.kind === 'valid') return { value: checked.portable };
  return { problem: `it is no valid regular expression: ${checked.complaint}` };
}

function parseTyped(type: ParameterType, text: string): Parsed {
  switch (type) {
    case 'STRING':
      return { value: text };
    case 'INT64': {
      const value = /^-?\d{1,30}$/.test(text) ? BigInt(text) : undefined;
      if (value === undefined) return { problem: `${echo(text)} is no whole number` };
      return value < MIN_INT64 || value > MAX_INT64 ? { problem: `${text} is out of range` } : { value };
    }
    case 'FLOAT64': {
      if (!/^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text))
        return { problem: `${echo(text)} is no decimal number` };
      const value = Number(text);
      return Number.isFinite(value) ? { value } : { problem: `${echo(text)} is out of range` };
    }
    case 'BOOL':
      return text === 'true' || text === 'false'
        ? { value: text === 'true' }
        : { problem: `${echo(text)} is neither true nor false` };
    case 'TIMESTAMP': {
      const parsed = parseIsoTimestamp(text);
      return 'micros' in parsed
        ? { value: parsed.micros }
        : { problem: `in ${echo(text)}, ${parsed.problem}` };
    }
    default: {
      const unreachable: never = type;
      throw new TypeError(`parameter type ${unreachable}`);
    }
  }
}

/** What no value of any type may be: too long, not Unicode, or with characters that cannot be seen. */
function checkText(spec: ParameterSpec, text: string): string | undefined {
  // A code point takes at most two UTF-16 units, which refuses most overlong text before it is split up.
  if (text.length > 2 * spec.maxLength || [...text].length > spec.maxLength) {
    return `it has more than ${characters(spec)}`;
  }
  if (!text.isWellFormed()) return 'it is not valid Unicode text';
  const control = /\p{Cc}/u.exec(text)?.[0].codePointAt(0);
  if (control === undefined) return undefined;
  return `it holds a control character (U+${control.toString(16).toUpperCase().padStart(4, '0')})`;
}

function characters({ maxLength }: ParameterSpec): string {
  return `${maxLength} ${nounFor(maxLength, 'character')}`;
}

function echo(text: string): string {
  const characters = [...text];
  return characters.length <= MAX_ECHO ? `'${text}'` : `'${characters.slice(0, MAX_ECHO).join('')}…'`;
}

function listOf(values: readonly string[]): string {
  return values.length === 1 ? `only ${values[0]}` : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}
