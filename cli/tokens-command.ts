import { loadConfig } from '../shared/runtime/config.ts';
import { processContext } from '../shared/runtime/config-context.ts';
import { leaveWhenWritten } from './terminal/leave-when-written.ts';
import { runTokens } from './tokens.ts';

/** `lqe tokens` on the store that the options or the environment choose. */
export async function runTokensCommand(argv: readonly string[], process: NodeJS.Process): Promise<number> {
  const { env, stdout, stderr } = process;
  const { tokensFile } = loadConfig([], { LQE_TOKENS: env.LQE_TOKENS }, processContext(false));
  const code = await runTokens(argv, { stdout, stderr, tokensFile, env, nowMs: Date.now });
  // Firestore's client goes on with a call that was given up, and would keep the process for minutes.
  if (code !== 0) await leaveWhenWritten(process, code);
  return code;
}
