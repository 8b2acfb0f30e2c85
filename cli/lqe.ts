#!/usr/bin/env node
import { ConfigurationError } from '../shared/errors/configuration-error.ts';

/** Exit codes: 0 done, 1 the command failed, 2 it was called or configured wrongly. */
const EXIT_WRONG = 2;

const USAGE = `Usage: lqe <command>

  lqe start [options]     serve the endpoints on this machine (lqe start --help)
  lqe tokens <command>    issue, list, show and revoke access tokens (lqe tokens --help)
`;

async function main(argv: readonly string[]): Promise<number> {
  const [command, ...rest] = argv;
  switch (command) {
    case 'start': {
      const { runStart } = await import('./start.ts');
      return runStart(rest, process);
    }
    case 'tokens': {
      const { runTokensCommand } = await import('./tokens-command.ts');
      return runTokensCommand(rest, process);
    }
    case '--help':
    case '-h':
      process.stdout.write(USAGE);
      return 0;
    default:
      process.stderr.write(
        command === undefined
          ? USAGE
          : `lqe: there is no command ${JSON.stringify(command)}; see lqe --help\n`,
      );
      return EXIT_WRONG;
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  process.stderr.write(`${error.message.replace(/^/gm, 'lqe: ')}\n`);
  process.exitCode = EXIT_WRONG;
}
