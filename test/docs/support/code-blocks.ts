import { readFileSync } from 'node:fs';

/** A fenced block of a page. */
export interface CodeBlock {
  /** What follows the fence, such as `json shape`. */
  readonly info: string;
  readonly text: string;
  /** Where it begins, counted from 1. */
  readonly line: number;
}

export function codeBlocks(page: string): readonly CodeBlock[] {
  const text = readFileSync(page, 'utf8');
  return [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    info: match[1] ?? '',
    text: match[2] ?? '',
    line: text.slice(0, match.index).split('\n').length,
  }));
}

/** A command that calls the service, and what the page says of its answer. */
export interface DocumentedCall {
  readonly name: string;
  readonly command: string;
  readonly answer: CodeBlock | null;
}

/** The calls of a page that stand among other commands, each on its line, and so have no answer. */
export function callsAmongCommands(page: string): readonly string[] {
  return codeBlocks(page)
    .filter(({ info, text }) => info === 'sh' && !text.startsWith('curl '))
    .flatMap(({ text }) => text.match(/^\s*curl .*(?:localhost:8080|\/api\/endpoints\/).*$/gm) ?? []);
}

/** What answers can be: exactly so, or of that shape. */
const ANSWERS = ['json', 'json shape', 'csv', 'text'];

/** The calls of a page; a block with an answer directly after a call is its answer. */
export function documentedCalls(page: string): readonly DocumentedCall[] {
  const blocks = codeBlocks(page);
  return blocks.flatMap((block, index) => {
    if (block.info !== 'sh' || !block.text.startsWith('curl ')) return [];
    const next = blocks[index + 1];
    const isAnswer = next !== undefined && ANSWERS.includes(next.info);
    return [{ name: `line ${block.line}`, command: block.text, answer: isAnswer ? next : null }];
  });
}

/**
 * Where a value is not of the documented shape: keys that are missing, other types, lists that should hold something.
 * Of a list's elements one must have the shape of each that the page shows.
 */
export function shapeProblems(documented: unknown, actual: unknown, path = '$'): string[] {
  if (Array.isArray(documented)) {
    if (!Array.isArray(actual)) return [`${path} is no list`];
    return documented.flatMap((element) => {
      const problems = actual.map((one) => shapeProblems(element, one, `${path}[]`));
      if (problems.some((list) => list.length === 0)) return [];
      return problems[0] ?? [`${path} is empty`];
    });
  }
  if (typeof documented === 'object' && documented !== null) {
    if (typeof actual !== 'object' || actual === null) return [`${path} is no object`];
    return Object.entries(documented).flatMap(([key, value]) =>
      key in actual
        ? shapeProblems(value, (actual as Record<string, unknown>)[key], `${path}.${key}`)
        : [`${path}.${key} is missing`],
    );
  }
  return typeof documented === typeof actual ? [] : [`${path} is a ${typeof actual}`];
}
