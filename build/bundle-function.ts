import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import type { DeployedFunction } from './deployed-functions.ts';

/** Two folders deep, as the sources are, so that the queries are found by the same relative path. */
export const CODE_FOLDER = 'bundle/code';

/** Node's version in the cloud. */
const TARGET = 'node24';

/** In ES modules, what CommonJS packages take for granted. */
const BANNER =
  "import{createRequire as lqeCreateRequire}from'node:module';const require=lqeCreateRequire(import.meta.url);";

/**
 * Bundles one function into `folder`: minified modules with source maps, in pieces that are loaded on first use, and
 * the queries that it serves. The embedded engine stays out.
 */
export async function bundleFunction(
  root: string,
  { name, module, endpoints }: DeployedFunction,
  folder: string,
): Promise<void> {
  const factory = await factoryName(join(root, module));
  await build({
    absWorkingDir: root,
    stdin: { contents: entry(name, module, factory), resolveDir: root, loader: 'ts', sourcefile: `${name}.ts` },
    outdir: join(folder, CODE_FOLDER),
    entryNames: 'index',
    chunkNames: '[name]-[hash]',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: TARGET,
    minify: true,
    keepNames: true,
    sourcemap: true,
    sourcesContent: false,
    legalComments: 'none',
    banner: { js: BANNER },
    external: ['@google-cloud/functions-framework'],
    plugins: [withoutEmbeddedEngine],
    logLevel: 'warning',
  });
  const queries = join(folder, 'queries');
  await mkdir(queries, { recursive: true });
  await cp(join(root, 'queries/sources'), join(queries, 'sources'), { recursive: true });
  for (const endpoint of endpoints) {
    for (const file of [`${endpoint}.json`, `${endpoint}.sql`]) {
      await cp(join(root, 'queries', file), join(queries, file));
    }
  }
}

/** What functions/index.ts does for all functions, for one. */
function entry(name: string, module: string, factory: string): string {
  return [
    "import { http } from '@google-cloud/functions-framework';",
    "import { asFrameworkFunction, leaveRequestsToHandlers } from './shared/http/framework-requests.ts';",
    "import { fromEnvironment } from './functions/from-environment.ts';",
    `import { ${factory} } from './${module}';`,
    'leaveRequestsToHandlers();',
    `http('${name}', asFrameworkFunction(fromEnvironment(${factory})));`,
  ].join('\n');
}

async function factoryName(module: string): Promise<string> {
  const [, name] = /^export function (make\w+)/m.exec(await readFile(module, 'utf8')) ?? [];
  if (name === undefined) throw new Error(`${module} exports no function make…`);
  return name;
}

/** Puts a clear refusal where the embedded engine would be loaded. */
const withoutEmbeddedEngine: Plugin = {
  name: 'without-embedded-engine',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]shared[\\/]runtime[\\/]open-duckdb\.ts$/ }, () => ({
      contents: `import { ConfigurationError } from '../errors/configuration-error.ts';
        export function openDuckDb() {
          throw new ConfigurationError('LQE_WAREHOUSE must be bigquery: this build has no embedded engine');
        }`,
      loader: 'ts',
    }));
  },
};
