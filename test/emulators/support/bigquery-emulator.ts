import { builtGoCommand } from '../../support/built-go-command.ts';
import { type Emulator, freePort, startProcess } from './emulator.ts';

/** The project that the emulator knows; datasets are made in it. */
export const EMULATED_PROJECT = 'emulated-project';

/** Its first build compiles Google's analyzer as WebAssembly translated to Go, which takes minutes. */
const COMMAND = {
  name: 'bigquery-emulator',
  module: 'test/emulators',
  package: 'github.com/goccy/bigquery-emulator/cmd/bigquery-emulator',
  files: ['go.mod', 'go.sum'],
};

/** Starts the BigQuery emulator, empty, on a free port. The first start on a machine builds it. */
export async function startBigQueryEmulator(): Promise<Emulator> {
  const binary = await builtGoCommand(COMMAND);
  const [port, grpcPort] = [await freePort(), await freePort()];
  const { stop } = await startProcess(
    binary,
    [`--project=${EMULATED_PROJECT}`, '--host=127.0.0.1', `--port=${port}`, `--grpc-port=${grpcPort}`],
    { ready: /REST server listening/, deadlineMs: 180_000 },
  );
  return { host: `127.0.0.1:${port}`, stop };
}
