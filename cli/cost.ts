import { commandHelp } from './arguments/help-text.ts';
import { parseArguments } from './arguments/parse-arguments.ts';
import { UsageError } from './arguments/usage-error.ts';
import { COST } from './commands/cost.ts';
import { costReport } from './cost/cost-report.ts';
import { costMarkdown, costText } from './cost/format-costs.ts';
import { readModel } from './cost/read-model.ts';
import { costSections } from './cost/sections.ts';

/** Runs `lqe cost` and answers the exit code, as its help says. Asks nothing of any service. */
export async function runCost(argv: readonly string[], process: NodeJS.Process): Promise<number> {
  const { env, stdout } = process;
  const given = parseArguments(argv, COST);
  if (given.wantsHelp) {
    stdout.write(commandHelp(COST));
    return 0;
  }
  if (given.has('--json') && given.has('--markdown'))
    throw new UsageError('Give --json or --markdown, not both.');
  const model = await readModel(given, env);
  const sections = costSections(model);
  if (given.has('--json')) stdout.write(`${JSON.stringify(costReport(model, sections), null, 2)}\n`);
  else stdout.write(given.has('--markdown') ? costMarkdown(sections) : costText(sections));
  return 0;
}
