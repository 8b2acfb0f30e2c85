import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import type { DeployedFunction } from './deployed-functions.ts';

/** Two folders deep, as the sources are, so that the queries are found by the same relative path. */
export const CODE_FOLDER = 'bundle/code';

/** Node's version in the cloud. */
const TARGET = 'node24';

/** In ES modules, what CommonJS packages take for granted. */
const BANNER = [
  "import{createRequire as lqeRequire}from'node:module';",
  "import{fileURLToPath as lqePath}from'node:url';",
  'const require=lqeRequire(import.meta.url);',
  'const __filename=lqePath(import.meta.url);',
  "const __dirname=lqePath(new URL('.',import.meta.url));",
].join('');

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
    stdin: {
      contents: entry(name, module, factory),
      resolveDir: root,
      loader: 'ts',
      sourcefile: `${name}.ts`,
    },
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
    plugins: [withoutEmbeddedEngine, withNamedExports],
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

/** What functions/index.ts does for whichever function is started, for one. */
function entry(name: string, module: string, factory: string): string {
  return [
    "import { http } from '@google-cloud/functions-framework';",
    "import { leaveRequestsToHandlers } from './shared/http/framework-requests.ts';",
    "import { fromEnvironment } from './functions/from-environment.ts';",
    `import { ${factory} } from './${module}';`,
    `const handler = fromEnvironment(${factory}, true);`,
    'leaveRequestsToHandlers(handler);',
    `http('${name}', handler);`,
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

/**
 * Gives the Google clients' names to those who import them on first use. They are CommonJS, of which a piece that is
 * loaded later exports its default alone.
 */
const withNamedExports: Plugin = {
  name: 'with-named-exports',
  setup({ onResolve, onLoad }) {
    onResolve(
      { filter: /^@google-cloud\/(bigquery|firestore|scheduler)$/ },
      ({ path, kind, namespace, resolveDir }) =>
        kind === 'dynamic-import' && namespace === 'file'
          ? { path, namespace: NAMED, pluginData: resolveDir }
          : undefined,
    );
    onLoad({ filter: /.*/, namespace: NAMED }, async ({ path, pluginData }) => {
      const names = Object.keys((await import(path)) as object).filter((name) => IDENTIFIER.test(name));
      const exports = names.map((name) => `export const ${name} = client.${name};`);
      const lines = [`const client = require('${path}');`, 'export default client;', ...exports];
      return { contents: lines.join('\n'), resolveDir: String(pluginData) };
    });
  },
};

const NAMED = 'named-exports';
const IDENTIFIER = /^(?!default$)[A-Za-z_$][\w$]*$/;
