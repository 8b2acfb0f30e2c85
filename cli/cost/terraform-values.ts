import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigurationError } from '../../shared/errors/configuration-error.ts';

/** The numbers and words that Terraform deploys with where a variable is not set. */
export interface TerraformValues {
  /** A variable's default, such as `retention_days`, or one of an attribute, such as `function.concurrency`. */
  variable(name: string): string;
  /** What an expression comes to: numbers, variables, locals and arithmetic. */
  number(expression: string): number;
  /** The expression after `name =`, where that stands once or always with the same. */
  assigned(name: string): string;
  /** How often a pattern matches in all files. */
  count(pattern: RegExp): number;
}

/** Reads the files of a Terraform folder. Throws a ConfigurationError that names the folder, or what it lacks. */
export async function readTerraform(directory: string): Promise<TerraformValues> {
  const text = await textOf(directory);
  const lacks = (what: string) => new ConfigurationError(`${directory}: its files have no ${what}`);

  const variable = (name: string): string => {
    const [head = '', attribute] = name.split('.');
    const block = new RegExp(`^variable "${head}" \\{\\n([\\s\\S]*?)^\\}`, 'm').exec(text)?.[1] ?? '';
    const pattern =
      attribute === undefined
        ? /^ {2}default += (.+)$/m
        : new RegExp(`^ {4}${attribute} += optional\\(\\w+, (.+)\\)$`, 'm');
    const value = pattern.exec(block)?.[1];
    if (value === undefined) throw lacks(`default of the variable ${name}`);
    return value.replaceAll('"', '');
  };
  const assigned = (name: string): string => {
    const values = [...text.matchAll(new RegExp(`^ +${name} += (.+)$`, 'gm'))].map(([, value = '']) => value);
    const [value] = values;
    if (value === undefined || values.some((other) => other !== value)) throw lacks(`one value of ${name}`);
    return value.replaceAll('"', '');
  };
  const named = (name: string): number => {
    const [kind, ...path] = name.split('.');
    return number(kind === 'var' ? variable(path.join('.')) : assigned(path.join('.')));
  };
  const number = (expression: string): number => {
    const value = evaluate(expression, named);
    if (value === null) throw lacks(`number in ${expression}`);
    return value;
  };
  return { variable, number, assigned, count: (pattern) => [...text.matchAll(pattern)].length };
}

async function textOf(directory: string): Promise<string> {
  const names = (await readdir(directory).catch(() => [])).filter((name) => name.endsWith('.tf')).sort();
  if (names.length === 0)
    throw new ConfigurationError(`${directory}: there are no Terraform files in this folder`);
  return (await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')))).join('\n');
}

/** Numbers, names and their sums, products and calls of `tostring`, `floor`; null for anything else. */
function evaluate(expression: string, named: (name: string) => number): number | null {
  const tokens = expression.match(/[0-9.]+|[a-z][\w.]*|[-+*/()]/g) ?? [];
  if (tokens.join('') !== expression.replaceAll(/\s+/g, '')) return null;
  let at = 0;
  const take = (text: string): boolean => tokens[at] === text && ++at > 0;

  function primary(): number {
    const token = tokens[at++] ?? '';
    if (/^[0-9]/.test(token)) return Number(token);
    if (token === '(' || ['tostring', 'floor'].includes(token)) {
      if (token !== '(' && !take('(')) return Number.NaN;
      const value = sum();
      if (!take(')')) return Number.NaN;
      return token === 'floor' ? Math.floor(value) : value;
    }
    return token.startsWith('var.') || token.startsWith('local.') ? named(token) : Number.NaN;
  }
  function product(): number {
    let value = primary();
    for (;;) {
      if (take('*')) value *= primary();
      else if (take('/')) value /= primary();
      else return value;
    }
  }
  function sum(): number {
    let value = product();
    for (;;) {
      if (take('+')) value += product();
      else if (take('-')) value -= product();
      else return value;
    }
  }
  const value = sum();
  return at === tokens.length && Number.isFinite(value) ? value : null;
}
