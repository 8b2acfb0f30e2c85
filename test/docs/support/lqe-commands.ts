import { codeBlocks } from './code-blocks.ts';

/** A command of `lqe` as it stands in a text. */
export interface DocumentedCommand {
  /** All of it, as it is written. */
  readonly line: string;
  readonly name: string;
  readonly argv: readonly string[];
}

/** A command of the shell: at the start of a line, after a pipe or assignments; or one whose output is read as a file. */
const CALL =
  /(?:^|[|;]\s*)(?:[A-Z_]+=\S* )*((?:npx (?:--package \S+ )?)?lqe [a-z-].*)|<\(((?:npx )?lqe [^\n)]*)\)/gm;
const PREFIX = /^(?:npx (?:--package \S+ )?)?lqe /;

/** A word of the shell: in quotes, or up to white space; what is behind a redirection or a pipe is not lqe's. */
const WORD = /'([^']*)'|"([^"]*)"|([^\s'"<>|]+)|[<>|]/g;

/** The commands in a page's blocks, each on its line; those that show an error on purpose end in `2>&1` and are left out. */
export function lqeCommands(page: string): readonly DocumentedCommand[] {
  return codeBlocks(page)
    .filter(({ info }) => ['sh', 'text'].includes(info))
    .flatMap(({ text }) => [...text.matchAll(CALL)])
    .map(([, line, read]) => line ?? read ?? '')
    .filter((line) => !line.endsWith('2>&1'))
    .map(readCommand);
}

/** The commands in running text: between backquotes in a page, between double quotes in a help or a message. */
export function inlineCommands(text: string): readonly DocumentedCommand[] {
  const pattern = /[`"]((?:npx (?:--package \S+ )?)?lqe [a-z-][^`"\n]*)[`"]/g;
  return [...text.matchAll(pattern)].map(([, line = '']) => readCommand(line));
}

/** A command in its words. */
export function readCommand(line: string): DocumentedCommand {
  const [name = '', ...argv] = wordsOf(line.replace(PREFIX, ''));
  return { line, name, argv };
}

function wordsOf(written: string): readonly string[] {
  const words: string[] = [];
  for (const [whole, single, double, bare] of written.matchAll(WORD)) {
    const word = single ?? double ?? bare;
    if (word === undefined || /^\d$/.test(whole)) break;
    words.push(word);
  }
  return words;
}
