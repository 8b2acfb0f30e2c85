import { codeBlocks } from './code-blocks.ts';

/** A command of `lqe` that stands in a page. */
export interface DocumentedCommand {
  readonly line: string;
  readonly name: string;
  readonly argv: readonly string[];
}

const COMMAND = /^(?:npm run (?:--silent )?lqe --|lqe) (.+)$/gm;
/** A word of the shell: in quotes, or up to white space; what is behind a redirection or a pipe is not lqe's. */
const WORD = /'([^']*)'|"([^"]*)"|([^\s'"<>|]+)|[<>|]/g;

/** The commands of a page, each on its line; those that show an error on purpose end in `2>&1` and are left out. */
export function lqeCommands(page: string): readonly DocumentedCommand[] {
  const lines = codeBlocks(page).flatMap(({ text }) => [...text.matchAll(COMMAND)]);
  return lines
    .filter(([line]) => !line.endsWith('2>&1'))
    .map(([line, written = '']) => {
      const [name = '', ...argv] = wordsOf(written);
      return { line, name, argv };
    });
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
