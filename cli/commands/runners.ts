import type { CommandName } from './command.ts';

/** Runs a command with the arguments after its name and answers the exit code. Throws a UsageError for wrong usage. */
export type Runner = (argv: readonly string[], process: NodeJS.Process) => Promise<number>;

/** Each command is imported when it is called: none has to load what another needs. */
export const RUNNERS: Readonly<Record<CommandName, () => Promise<Runner>>> = {
  start: async () => (await import('../start/run-with-status.ts')).runStartWithStatus,
  load: async () => (await import('../load.ts')).runLoad,
  query: async () => (await import('../query.ts')).runQuery,
  tail: async () => (await import('../tail.ts')).runTail,
  endpoints: async () => (await import('../endpoints.ts')).runEndpoints,
  mcp: async () => (await import('../mcp.ts')).runMcp,
  new: async () => (await import('../new.ts')).runNew,
  tokens: async () => (await import('../tokens.ts')).runTokensCommand,
  warm: async () => (await import('../warm.ts')).runWarm,
  check: async () => (await import('../check.ts')).runCheck,
  cost: async () => (await import('../cost.ts')).runCost,
  completion: async () => (await import('../completion.ts')).runCompletion,
};
