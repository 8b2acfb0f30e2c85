import type { Arguments } from '../arguments/parse-arguments.ts';
import { UsageError } from '../arguments/usage-error.ts';
import type { Option } from '../commands/command.ts';
import { TOKENS } from '../commands/tokens.ts';

type Flag = Option['flag'];

/** The options that every action takes; all others are those of `issue`, and `--json` that of `list` and `show`. */
const STORE_OPTIONS: readonly Flag[] = ['--store', '--google-project', '--token-database'];

const OWN_OPTIONS: Readonly<Record<string, readonly Flag[]>> = {
  issue: TOKENS.options.map(({ flag }) => flag).filter((flag) => flag !== '--json'),
  list: ['--json', ...STORE_OPTIONS],
  show: ['--json', ...STORE_OPTIONS],
  revoke: STORE_OPTIONS,
};

/** Refuses the options that belong to other actions. Throws a UsageError, as all functions here do. */
export function refuseOtherOptions(action: string, given: Arguments): void {
  const own = OWN_OPTIONS[action] ?? [];
  const other = TOKENS.options.find(({ flag }) => given.has(flag) && !own.includes(flag));
  if (other !== undefined) throw new UsageError(`"${action}" takes no ${other.flag}.`);
}

/** Refuses whatever follows an action that takes nothing. */
export function refuseOperand(action: string, operand: string | undefined): void {
  if (operand !== undefined) throw new UsageError(`"${action}" takes no "${operand}".`);
}

/** The one token that an action is about. */
export function requireOperand(action: string, operand: string | undefined): string {
  if (operand !== undefined) return operand;
  throw new UsageError(`"${action}" needs a token's name or the beginning of its digest.`);
}
