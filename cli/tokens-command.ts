import { loadConfig } from '../shared/runtime/config.ts';
import { processContext } from '../shared/runtime/config-context.ts';
import { runTokens } from './tokens.ts';

/** `lqe tokens` on the store that the options or the environment choose. */
export async function runTokensCommand(argv: readonly string[], process: NodeJS.Process): Promise<number> {
  const { env, stdout, stderr } = process;
  const { tokensFile } = loadConfig([], { LQE_TOKENS: env.LQE_TOKENS }, processContext(false));
  const code = await runTokens(argv, { stdout, stderr, tokensFile, env, nowMs: Date.now });
  // Firestore's client goes on with a call that was given up, and would keep the process for minutes.
  if (code !== 0) {
    await Promise.all([written(stdout), written(stderr)]);
    process.exit(code);
  }
  return code;
}

/** Resolves when what was written to a stream so far has left the process, or cannot. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()));
}
