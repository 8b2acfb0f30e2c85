import { parseWithSources } from '../../json/parse-with-sources.ts';

/**
 * JSON's text as GoogleSQL keeps a JSON value: fields in the order of their names, no spaces, fractions in their
 * shortest form. Text with a name twice in one object stays as it is, since only the first of them counts.
 */
export function canonicalJson(text: string): string {
  let names = 0;
  const value: unknown = parseWithSources(text, (_key, part, { source }) => {
    if (typeof part === 'number') return new Spelled(numberText(part, source ?? String(part)));
    if (isObject(part)) names += Object.keys(part).length;
    return part;
  });
  return names === (text.match(NAME)?.length ?? 0) ? printed(value) : text;
}

/** A text and the colon after it; others are skipped as wholes. */
const NAME = /"(?:[^"\\]|\\.)*"\s*:/g;

class Spelled {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Spelled);
}

function numberText(value: number, source: string): string {
  if (/^-?\d+$/.test(source)) return source === '-0' ? '0' : source;
  const shortest = String(value);
  if (/^-?\d+$/.test(shortest)) return `${shortest}.0`;
  return shortest.replace(/e([+-])(\d)$/, (_, sign: string, digit: string) => `e${sign}0${digit}`);
}

function printed(value: unknown): string {
  if (value instanceof Spelled) return value.text;
  if (Array.isArray(value)) return `[${value.map(printed).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return `{${names.map((name) => `${JSON.stringify(name)}:${printed(value[name])}`).join(',')}}`;
}
