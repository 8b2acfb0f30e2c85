import { printable } from '../../shared/runtime/printable.ts';
import { didYouMean } from '../../shared/sql/text/nearest-names.ts';
import { UsageError } from '../arguments/usage-error.ts';
import { CHECK } from './check.ts';
import type { Command, CommandName } from './command.ts';
import { COMPLETION } from './completion.ts';
import { COST } from './cost.ts';
import { ENDPOINTS } from './endpoints.ts';
import { LOAD } from './load.ts';
import { MCP } from './mcp.ts';
import { NEW } from './new.ts';
import { QUERY } from './query.ts';
import { START } from './start.ts';
import { TAIL } from './tail.ts';
import { TOKENS } from './tokens.ts';
import { WARM } from './warm.ts';

/** All commands, in the order of the help. */
export const COMMANDS: Readonly<Record<CommandName, Command>> = {
  start: START,
  load: LOAD,
  query: QUERY,
  tail: TAIL,
  endpoints: ENDPOINTS,
  mcp: MCP,
  new: NEW,
  tokens: TOKENS,
  warm: WARM,
  check: CHECK,
  cost: COST,
  completion: COMPLETION,
};

/** The command of this name. Throws a UsageError that says which was meant. */
export function findCommand(name: string): Command {
  const found = Object.values(COMMANDS).find((command) => command.name === name);
  if (found !== undefined) return found;
  const meant = didYouMean(name, Object.keys(COMMANDS)) || '; see "lqe --help".';
  throw new UsageError(`There is no command ${printable(name)}${meant}`);
}
