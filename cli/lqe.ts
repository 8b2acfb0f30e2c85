import { ConfigurationError } from '../shared/errors/configuration-error.ts';
import { ServiceError } from '../shared/errors/service-error.ts';
import { overview } from './arguments/help-text.ts';
import { UsageError } from './arguments/usage-error.ts';
import { endWithReader } from './terminal/end-process.ts';

/** Exit codes: 0 done, 1 the command failed, 2 it was called or configured wrongly. */
const EXIT_FAILED = 1;
const EXIT_WRONG = 2;

async function main([name, ...rest]: readonly string[]): Promise<number> {
  const { COMMANDS, findCommand } = await import('./commands/table.ts');
  if (name === undefined || name === '--help' || name === '-h') {
    process[name === undefined ? 'stderr' : 'stdout'].write(overview(Object.values(COMMANDS)));
    return name === undefined ? EXIT_WRONG : 0;
  }
  if (name === '--version') {
    const { default: manifest } = await import('../package.json', { with: { type: 'json' } });
    process.stdout.write(`${manifest.version}\n`);
    return 0;
  }
  if (name === 'help') {
    const [topic = '--help'] = rest;
    return main(topic.startsWith('-') ? ['--help'] : [findCommand(topic).name, '--help']);
  }
  const command = findCommand(name);
  const { RUNNERS } = await import('./commands/runners.ts');
  const run = await RUNNERS[command.name]();
  try {
    return await run(rest, process);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message} See "lqe ${command.name} --help".\n`);
    return EXIT_WRONG;
  }
}

endWithReader(process);
try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof ConfigurationError) {
    process.stderr.write(`${error.message.replace(/^/gm, 'lqe: ')}\n`);
    process.exitCode = EXIT_WRONG;
  } else if (error instanceof UsageError) {
    process.stderr.write(`lqe: ${error.message}\n`);
    process.exitCode = EXIT_WRONG;
  } else if (error instanceof ServiceError) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = EXIT_FAILED;
  } else throw error;
}
