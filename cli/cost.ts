import { commandHelp } from './arguments/help-text.ts';
import { parseArguments } from './arguments/parse-arguments.ts';
import { UsageError } from './arguments/usage-error.ts';
import { COST } from './commands/cost.ts';
import { costReport } from './cost/cost-report.ts';
import { firestoreSection } from './cost/firestore-section.ts';
import { fixedSection, logsSection } from './cost/fixed-sections.ts';
import { costMarkdown, costText } from './cost/format-costs.ts';
import type { CostModel, CostSection } from './cost/model.ts';
import { queriesSection, warmingSection } from './cost/query-sections.ts';
import { readModel } from './cost/read-model.ts';
import { requestsSection } from './cost/requests-section.ts';

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

/** Everything that a month costs. */
export function costSections(model: CostModel): readonly CostSection[] {
  return [fixedSection, logsSection, queriesSection, warmingSection, firestoreSection, requestsSection]
    .map((section) => section(model))
    .filter(({ rows }) => rows.length > 0);
}
