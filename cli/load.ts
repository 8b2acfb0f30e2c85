import { nounFor } from '../shared/errors/noun-for.ts';
import { type Config, type Environment, loadConfig } from '../shared/runtime/config.ts';
import { processContext } from '../shared/runtime/config-context.ts';
import { fillStore } from '../shared/runtime/fill-store.ts';
import { SETTINGS } from '../shared/runtime/settings.ts';
import { loadTableSchemas } from '../shared/schema/load-table-schemas.ts';
import { loadFailure } from '../shared/warehouse/duckdb/loading/load-failure.ts';
import { openStore, type Store } from '../shared/warehouse/duckdb/store/open-store.ts';
import { commandHelp } from './arguments/help-text.ts';
import { parseArguments } from './arguments/parse-arguments.ts';
import { UsageError } from './arguments/usage-error.ts';
import { LOAD, LOAD_SETTINGS } from './commands/load.ts';
import { loadSummary } from './start/load-summary.ts';
import { progressBar } from './terminal/progress-bar.ts';
import { takeStopSignals } from './terminal/stop-signals.ts';

/**
 * Runs `lqe load`: puts the logs of a folder into a database file. Answers the exit code; throws a UsageError or a
 * ConfigurationError for what the caller has to put right, which leaves the file as it was.
 */
export async function runLoad(argv: readonly string[], process: NodeJS.Process): Promise<number> {
  const { env, stdout, stderr } = process;
  if (parseArguments(withoutSwitchValues(argv), LOAD).wantsHelp) {
    stdout.write(commandHelp(LOAD));
    return 0;
  }
  const config = loadConfig(argv, loadEnvironment(env), processContext(false));
  if (config.databaseFile === null || config.logsDirectory === null) {
    throw new UsageError(
      'Say what goes where: --database FILE (or LQE_DATABASE) and --logs DIR (or LQE_LOGS).',
    );
  }
  const schemas = await loadTableSchemas(config.sourcesDirectory);
  const stop = takeStopSignals(process);
  let store: Store | null = null;
  try {
    store = await openStore({
      databaseFile: config.databaseFile,
      memoryLimitMiB: config.memoryLimitMib,
      access: 'exclusive',
    });
    const filled = await fillStore(store, schemas, config, {
      nowMicros: 0n,
      progress: progressBar(stderr),
      warn: (message) => stderr.write(`${message}\n`),
      signal: stop.signal,
    });
    await store.close();
    store = null;
    stderr.write(loadSummary(filled));
    stdout.write(`${totalText(filled.report?.sources, config)}\n`);
    return 0;
  } catch (error) {
    const code = stop.exitCode();
    if (code !== null) return code;
    throw loadFailure(error, config.databaseFile);
  } finally {
    // What cannot be written now has failed before, which is the error that the operator has to know.
    await store?.close().catch(() => {});
    stop.release();
  }
}

/** Variables of other settings may be wrong without harm here. */
function loadEnvironment(env: Environment): Environment {
  return Object.fromEntries(LOAD_SETTINGS.map((name) => [SETTINGS[name].env, env[SETTINGS[name].env]]));
}

/** `--skip-invalid=true`, which the settings take, is the switch. */
function withoutSwitchValues(argv: readonly string[]): readonly string[] {
  return argv.map((argument) => (argument.startsWith('--skip-invalid=') ? '--skip-invalid' : argument));
}

function totalText(
  sources: ReadonlyMap<string, { readonly rows: number; readonly skipped: number }> | undefined,
  { databaseFile }: Config,
): string {
  const reports = [...(sources?.values() ?? [])];
  const rows = reports.reduce((sum, report) => sum + report.rows, 0);
  const skipped = reports.reduce((sum, report) => sum + report.skipped, 0);
  const left =
    skipped === 0 ? '' : `, ${skipped.toLocaleString('en-US')} malformed ${nounFor(skipped, 'line')} skipped`;
  const entries = `${rows.toLocaleString('en-US')} ${nounFor(rows, 'entry', 'entries')}`;
  return `Loaded ${entries} into ${databaseFile}${left}.`;
}
