import { startExplorer } from './explorer-service.ts';
import { TOKEN } from './service.ts';

/** On a machine that has other work, no query is stopped for being slow. */
const PATIENT = { LQE_DEADLINE: '60000', LQE_SQL_DEADLINE: '60000' };

/** Starts the service on its demo logs, as a person would, and tells the suites where it is. */
// biome-ignore lint/style/noDefaultExport: Jest calls the default export of a global setup
export default async function startService(): Promise<void> {
  const { url, pid } = await startExplorer({ LQE_TOKEN: TOKEN, ...PATIENT });
  process.env.EXPLORER_PID = String(pid);
  process.env.EXPLORER_URL = url;
}
