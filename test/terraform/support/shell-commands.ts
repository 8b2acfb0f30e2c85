import { codeBlocks } from '../../docs/support/code-blocks.ts';

/** A command of a page: its words without quotes, as a shell would hand them over; variables stay as written. */
export interface ShellCommand {
  readonly text: string;
  readonly words: readonly string[];
}

/** The commands in the shell blocks of a page, those inside `$(…)` as well. Assignments in front are left out. */
export function shellCommands(page: string): readonly ShellCommand[] {
  const lines = codeBlocks(page)
    .filter(({ info }) => info === 'sh')
    .flatMap(({ text }) => text.trim().split('\n'));
  return lines.flatMap((line) => {
    const inner = [...line.matchAll(/\$\(([^()]+)\)/g)].map(([, command = '']) => command);
    return [line.replaceAll(/\$\([^()]+\)/g, 'VALUE'), ...inner].map((text) => ({
      text,
      words: wordsOf(text),
    }));
  });
}

function wordsOf(text: string): string[] {
  const words = text.match(/(?:[^\s"']|"(?:[^"\\]|\\.)*"|'[^']*')+/g) ?? [];
  return words.map((word) => word.replaceAll(/["']/g, ''));
}
