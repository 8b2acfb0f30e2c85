/** Ends the service that was started for the suites. */
// biome-ignore lint/style/noDefaultExport: Jest calls the default export of a global setup
export default async function stopService(): Promise<void> {
  process.kill(Number(process.env.EXPLORER_PID), 'SIGTERM');
}
