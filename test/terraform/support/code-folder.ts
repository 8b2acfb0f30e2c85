import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of code with an endpoint for each name, which is warmed that often, as Terraform reads it. */
export async function codeFolder(endpoints: Readonly<Record<string, number | null>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'code-'));
  const schema = [
    { name: 'timestamp', type: 'TIMESTAMP' },
    { name: 'project', type: 'STRING' },
  ];
  await mkdir(join(folder, 'queries/sources'), { recursive: true });
  await mkdir(join(folder, 'dist'));
  await writeJson(join(folder, 'queries/sources/edge_logs.json'), schema);
  const names = Object.keys(endpoints).map((name) => name.replaceAll('.', '-'));
  await writeJson(
    join(folder, 'dist/manifest.json'),
    Object.fromEntries(
      [...names, 'gateway', 'warm', 'ingest'].map((name) => [
        name,
        { file: `${name}.zip`, sha256: 'ab'.repeat(32), tables: ['edge_logs'] },
      ]),
    ),
  );
  for (const [index, [name, warmEverySeconds]] of Object.entries(endpoints).entries()) {
    const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
    await writeJson(join(folder, `queries/${name}.json`), { id, name, warmEverySeconds });
    await writeFile(join(folder, `queries/${name}.sql`), 'SELECT 1 FROM logs.edge_logs');
  }
  return folder;
}

function writeJson(path: string, value: unknown): Promise<void> {
  return writeFile(path, JSON.stringify(value));
}
