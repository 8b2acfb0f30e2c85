import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { build } from 'esbuild';
import { type Definitions, packDefinitions } from '../shared/runtime/definitions.ts';
import { DEFINITIONS, withDefinitions, withNamedExports, withoutEmbeddedEngine } from './bundle-plugins.ts';
import type { DeployedFunction } from './deployed-functions.ts';

/** Two folders deep, as the sources are, so that the queries are found by the same relative path. */
export const CODE_FOLDER = 'bundle/code';

/** What the platform runs when it has installed a function's packages. */
export const COMPILER_FILE = 'bundle/compile-function.mjs';

/** Node's version in the cloud. */
export const NODE_TARGET = 'node24';

/** In ES modules, what CommonJS packages take for granted. */
const BANNER = [
  "import{createRequire as lqeRequire}from'node:module';",
  "import{fileURLToPath as lqePath}from'node:url';",
  'const require=lqeRequire(import.meta.url);',
  'const __filename=lqePath(import.meta.url);',
  "const __dirname=lqePath(new URL('.',import.meta.url));",
].join('');

/**
 * Bundles one function into `folder`: minified modules with source maps, in pieces that are loaded on first use, what it
 * serves among them, and the files that this was read from. The embedded engine stays out.
 */
export async function bundleFunction(
  root: string,
  { name, module, endpoints }: DeployedFunction,
  definitions: Definitions,
  folder: string,
): Promise<void> {
  const factory = await factoryName(join(root, module));
  // Named the same wherever the bundle is written: maps, and with them the hashes of pieces, depend on it.
  const outdir = join(root, CODE_FOLDER);
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: {
      contents: entry(name, module, factory),
      resolveDir: root,
      loader: 'ts',
      sourcefile: `${name}.ts`,
    },
    outdir,
    entryNames: 'index',
    chunkNames: '[name]-[hash]',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: NODE_TARGET,
    minifyWhitespace: true,
    minifySyntax: true,
    sourcemap: true,
    sourcesContent: false,
    legalComments: 'none',
    banner: { js: BANNER },
    external: ['@google-cloud/functions-framework'],
    plugins: [
      withDefinitions(packDefinitions(definitions, endpoints)),
      withoutEmbeddedEngine,
      withNamedExports,
    ],
    logLevel: 'warning',
    write: false,
  });
  await mkdir(join(folder, CODE_FOLDER), { recursive: true });
  for (const { path, text } of outputFiles) {
    const written = path.endsWith('.map') ? fromRoot(root, outdir, text) : withoutIdleBanner(text);
    await writeFile(join(folder, CODE_FOLDER, basename(path)), written);
  }
  await build({
    entryPoints: [join(root, 'build/platform/compile-function.ts')],
    outfile: join(folder, COMPILER_FILE),
    platform: 'node',
    format: 'esm',
    target: NODE_TARGET,
    legalComments: 'none',
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

/** A module that wants none of what the banner makes is spared it; its line stays, for the source map's sake. */
function withoutIdleBanner(text: string): string {
  if (!text.startsWith(BANNER)) return text;
  const code = text.slice(BANNER.length);
  return /\b(?:require|__filename|__dirname)\b/.test(code) ? text : code;
}

/** A source map of a file in `outdir` whose sources are named from the repository's root. */
function fromRoot(root: string, outdir: string, text: string): string {
  const map = JSON.parse(text) as { readonly sources: readonly string[] };
  const name = (source: string) => relative(root, resolve(outdir, source)).replaceAll(sep, '/');
  return JSON.stringify({ ...map, sources: map.sources.map(name) });
}

/** What functions/index.ts does for whichever function is started, for one. */
function entry(name: string, module: string, factory: string): string {
  return [
    "import { http } from '@google-cloud/functions-framework';",
    "import { bypassFramework } from './shared/http/server/framework-requests.ts';",
    "import { guardFrameworkServers } from './shared/http/server/framework-server.ts';",
    "import { endOnBadSettings, fromEnvironment } from './functions/from-environment.ts';",
    `import { ${factory} } from './${module}';`,
    `import { definitions } from '${DEFINITIONS}';`,
    'endOnBadSettings(process, definitions);',
    `const { handler, close } = fromEnvironment(${factory}, definitions);`,
    'guardFrameworkServers(process, close);',
    'bypassFramework(handler);',
    `http('${name}', handler);`,
  ].join('\n');
}

async function factoryName(module: string): Promise<string> {
  const [, name] = /^export function (make\w+)/m.exec(await readFile(module, 'utf8')) ?? [];
  if (name === undefined) throw new Error(`${module} exports no function make…`);
  return name;
}
