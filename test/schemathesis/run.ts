import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pythonEnvironment } from '../support/python-environment.ts';
import { readReport } from './support/report.ts';
import { runSchemathesis } from './support/schemathesis.ts';
import { startService } from './support/service.ts';

/*
 * Tests the running service against its own /openapi.json with schemathesis: every operation, with data that fits the
 * document and data that does not. Needs Python 3.11 or later and, the first time, PyPI. Arguments are handed on.
 */
const python = await pythonEnvironment('schemathesis', join(import.meta.dirname, 'requirements.txt'));
const folder = await mkdtemp(join(tmpdir(), 'schemathesis-'));
const service = await startService(folder);
try {
  const report = join(folder, 'report.json');
  const options = ['--report-json-path', report, ...process.argv.slice(2)];
  const code = await runSchemathesis(python, folder, service, options);
  const { passed, failed } = await readReport(report);
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  process.exitCode = code === 0 && failed > 0 ? 1 : code;
} finally {
  await service.stop();
  await rm(folder, { recursive: true });
}
