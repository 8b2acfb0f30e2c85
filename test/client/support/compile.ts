import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** What the compiler says of lines of TypeScript. */
export interface Compiled {
  /** All that it complains about in a line, by its index; empty where the line compiles. */
  complaints(index: number): string;
}

/** Compiles lines behind a head as a file three folders deep in the repository, with the repository's own settings. */
export async function compile(lines: readonly string[], head: string): Promise<Compiled> {
  const folder = await mkdtemp(resolve('test/client/.types-'));
  try {
    await writeFile(join(folder, 'calls.ts'), `${head}\n${lines.join('\n')}\nexport {};\n`);
    const project = { extends: '../../../tsconfig.json', include: ['calls.ts'], exclude: [] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(project));
    const { stdout } = await promisify(execFile)('npx', [
      'tsc',
      '--noEmit',
      '--pretty',
      'false',
      '-p',
      folder,
    ]).catch((error: { readonly stdout: string }) => error);
    return read(stdout, head.split('\n').length);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A complaint begins with its place; further lines are indented. */
function read(text: string, headLines: number): Compiled {
  const found = [...text.matchAll(/^\S*calls\.ts\((\d+),\d+\): (error [^\n]*(?:\n +[^\n]*)*)/gm)];
  return {
    complaints: (index) =>
      found
        .filter(([, line]) => Number(line) === headLines + index + 1)
        .map(([, , complaint]) => complaint)
        .join('\n'),
  };
}
