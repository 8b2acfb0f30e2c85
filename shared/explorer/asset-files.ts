import { access, readdir } from 'node:fs/promises';
import { dirname, join, posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One file that the explorer's page loads. */
export interface AssetFile {
  /** Where it is served, below the assets' own address: `explorer/main.js`. */
  readonly path: string;
  /** Where it lies. */
  readonly file: string;
  readonly type: string;
}

/** Where the explorer's files are. */
export interface AssetSource {
  /** The page's template. */
  readonly template: string;
  /** All files that are ever served besides the page, in the order of their paths. Throws what the file system throws. */
  list(): Promise<readonly AssetFile[]>;
}

/** Where sources, the npm package and a function's bundle have their top folder, seen from the code of this module. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The packages that the page imports by name, and the ES module of each that browsers can load as it is. */
const PACKAGES: Readonly<Record<string, string>> = {
  '@codemirror/autocomplete': 'dist/index.js',
  '@codemirror/commands': 'dist/index.js',
  '@codemirror/lang-sql': 'dist/index.js',
  '@codemirror/language': 'dist/index.js',
  '@codemirror/lint': 'dist/index.js',
  '@codemirror/state': 'dist/index.js',
  '@codemirror/streamparser': 'dist/index.js',
  '@codemirror/view': 'dist/index.js',
  '@lezer/common': 'dist/index.js',
  '@lezer/highlight': 'dist/index.js',
  '@lezer/lr': 'dist/index.js',
  '@marijn/find-cluster-break': 'src/index.js',
  crelt: 'index.js',
  'style-mod': 'src/style-mod.js',
  'w3c-keyname': 'index.js',
};

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
};

/** The folders whose files the page loads. */
const FOLDERS = ['client', 'explorer'];

/** The page's template in a folder that has all of the explorer's files. */
export const TEMPLATE = join('explorer', 'index.html');

/** The folder of a function's bundle that has the explorer's files, at the paths at which they are served. */
export const BUNDLED_ASSETS = 'assets';

/** The files of the product as it is installed at `root`, and of the packages that npm installed for it. */
export function installedAssets(root: string = ROOT): AssetSource {
  return { template: join(root, TEMPLATE), list: () => listInstalled(root) };
}

/** The files that were put into the bundle of a function at `root`, which has no folder of packages. */
export function bundledAssets(root: string = ROOT): AssetSource {
  const folder = join(root, BUNDLED_ASSETS);
  return { template: join(folder, TEMPLATE), list: async () => inOrder(await filesIn(folder, '')) };
}

async function listInstalled(root: string): Promise<readonly AssetFile[]> {
  const own = await Promise.all(FOLDERS.map((folder) => filesIn(root, folder)));
  const packages = await Promise.all(
    Object.entries(PACKAGES).map(async ([name, entry]) => ({
      path: packagePath(name),
      file: join(await installedPackage(root, name), entry),
      type: TYPES['.js'] ?? '',
    })),
  );
  return inOrder([...own.flat(), ...packages]);
}

/**
 * Where a package lies as Node finds it: in the nearest `node_modules` from `root` up, which is another one where the
 * product itself is installed as a package. A path that does not
 * exist where there is none.
 */
async function installedPackage(root: string, name: string): Promise<string> {
  const nearest = join(root, 'node_modules', name);
  for (let folder = root; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name);
    if (
      await access(path).then(
        () => true,
        () => false,
      )
    )
      return path;
    if (folder === dirname(folder)) return nearest;
  }
}

/** What the page's import map says: where each package is, below the assets' own address. */
export function packagePaths(): ReadonlyMap<string, string> {
  return new Map(Object.keys(PACKAGES).map((name) => [name, packagePath(name)]));
}

function packagePath(name: string): string {
  return `npm/${name}.js`;
}

async function filesIn(root: string, folder: string): Promise<readonly AssetFile[]> {
  const names = await readdir(join(root, folder), { recursive: true });
  return names.flatMap((name) => {
    const type = TYPES[posix.extname(name)];
    if (type === undefined) return [];
    return [{ path: posix.join(folder, ...name.split(sep)), file: join(root, folder, name), type }];
  });
}

/** The version of all files, which their addresses have in them, must not depend on where they lie. */
function inOrder(files: readonly AssetFile[]): readonly AssetFile[] {
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
