import { loadEndpoints } from '../shared/endpoints/load-endpoints.ts';
import { processContext } from '../shared/runtime/config-context.ts';
import { commandHelp } from './arguments/help-text.ts';
import { parseArguments } from './arguments/parse-arguments.ts';
import type { Command } from './commands/command.ts';
import { COMPLETION, SHELLS, type Shell } from './commands/completion.ts';
import { COMMANDS } from './commands/table.ts';
import { bashCompletion } from './completion/bash.ts';
import { fishCompletion } from './completion/fish.ts';
import { zshCompletion } from './completion/zsh.ts';

const SCRIPTS: Readonly<
  Record<Shell, (commands: readonly Command[], endpoints: readonly string[]) => string>
> = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** Runs `lqe completion` and answers the exit code. */
export async function runCompletion(argv: readonly string[], process: NodeJS.Process): Promise<number> {
  const { stdout } = process;
  const given = parseArguments(argv, COMPLETION);
  if (given.wantsHelp) {
    stdout.write(commandHelp(COMPLETION));
    return 0;
  }
  const { all } = await loadEndpoints(processContext(false).builtInQueries);
  const names = all.map(({ name }) => name);
  for (const shell of SHELLS) {
    if (shell === given.operands[0]) stdout.write(SCRIPTS[shell](Object.values(COMMANDS), names));
  }
  return 0;
}
