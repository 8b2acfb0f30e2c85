import { loadConfig } from '../shared/runtime/config.ts';
import { processContext } from '../shared/runtime/config-context.ts';
import { runTokens } from './tokens.ts';

/** `lqe tokens` on the token file that LQE_TOKENS names. */
export function runTokensCommand(
  argv: readonly string[],
  { env, stdout, stderr }: NodeJS.Process,
): Promise<number> {
  const { tokensFile } = loadConfig([], { LQE_TOKENS: env.LQE_TOKENS }, processContext(false));
  return runTokens(argv, { stdout, stderr, tokensFile, nowMs: Date.now });
}
