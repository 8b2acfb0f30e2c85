import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const ROOT = resolve(import.meta.dirname, '../..');
const PRODUCT = ['functions', 'cli', 'shared', 'build', 'client', 'explorer'];

/** The circles that the languages' own recursion makes, by the one folder that each lies in, and most of their files. */
const NATURAL: Readonly<Record<string, { readonly files: number; readonly because: string }>> = {
  'shared/sql/ast': { files: 2, because: 'an expression may hold a query, and a query holds expressions' },
  'shared/sql/parser': { files: 11, because: 'the grammar is recursive' },
  'shared/sql/resolved': { files: 2, because: 'a plan holds expressions, and a subquery is an expression' },
  'shared/sql/analyzer': { files: 15, because: 'resolving an expression may resolve a query, and back' },
  'shared/warehouse/duckdb/translate': { files: 8, because: 'generating follows the plan' },
  'shared/warehouse/duckdb/translate/passes/single-records': {
    files: 8,
    because: 'what a column is, is said along the plan',
  },
};

/** The folders of shared/ that all others may use. */
const GROUND_FLOOR = ['errors', 'time', 'json', 're2', 'concurrency', 'lru'];

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s(?:[^'"`;]*?\sfrom\s+)?['"](\.[^'"]+)['"]|import\(\s*['"](\.[^'"]+)['"]\s*\)/g;
/** The same without types, which load nothing. */
const LOADING = new RegExp(IMPORT.source.replace('export)\\s', 'export)\\s(?!type\\s)'), 'g');

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

function sourceFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.[jt]s$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Which file imports which: types and imports on first use count as well. */
function importGraph(files: readonly string[], pattern = IMPORT): Graph {
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const found = [...readFileSync(file, 'utf8').matchAll(pattern)];
      const targets = found.map(([, one, other]) => resolve(dirname(file), one ?? other ?? ''));
      return [file, new Set(targets.filter((target) => known.has(target)))];
    }),
  );
}

/** The strongly connected components of more than one node (Tarjan). */
function circlesOf(graph: Graph): string[][] {
  const circles: string[][] = [];
  const order = new Map<string, number>();
  const stack: string[] = [];
  const visit = (node: string): number => {
    const index = order.size;
    order.set(node, index);
    stack.push(node);
    let low = index;
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (stack.includes(next)) low = Math.min(low, order.get(next) ?? low);
    }
    if (low === index) {
      const circle = stack.splice(stack.indexOf(node));
      if (circle.length > 1) circles.push(circle);
    }
    return low;
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return circles;
}

const graph = importGraph(PRODUCT.flatMap(sourceFiles));
const circles = circlesOf(graph).map((circle) => circle.map((file) => relative(ROOT, file)).sort());
const folderOf = (circle: readonly string[]) => {
  const folders = new Set(circle.map((file) => dirname(file)));
  return folders.size === 1 ? [...folders].join() : null;
};

describe('imports', () => {
  test('are read from every file', () => {
    const edges = [...graph.values()].reduce((sum, targets) => sum + targets.size, 0);
    expect(edges).toBeGreaterThan(graph.size);
  });

  test('make no circle but where a language is recursive', () => {
    expect(circles.filter((circle) => NATURAL[folderOf(circle) ?? ''] === undefined)).toEqual([]);
  });

  test.each(Object.entries(NATURAL))(
    'make one circle in %s, no larger than it has to be',
    (folder, { files }) => {
      const [circle = [], ...others] = circles.filter((one) => folderOf(one) === folder);
      expect(others).toEqual([]);
      expect(circle.length).toBeLessThanOrEqual(files);
      expect(circle.length).toBeGreaterThan(1);
    },
  );

  test('load no circle of the folders of shared/', () => {
    const areas = new Map<string, Set<string>>();
    const areaOf = (file: string) => relative(join(ROOT, 'shared'), file).split('/')[0] ?? '';
    for (const [file, targets] of importGraph([...graph.keys()], LOADING)) {
      if (!file.startsWith(join(ROOT, 'shared/'))) continue;
      const others = areas.get(areaOf(file)) ?? new Set();
      areas.set(areaOf(file), others);
      for (const target of targets) if (areaOf(target) !== areaOf(file)) others.add(areaOf(target));
    }
    expect(circlesOf(areas)).toEqual([]);
  });

  test.each(GROUND_FLOOR)('lead from shared/%s to the ground floor alone', (folder) => {
    const above = [...graph]
      .filter(([file]) => file.startsWith(join(ROOT, 'shared', folder, '/')))
      .flatMap(([, targets]) => [...targets].map((target) => relative(join(ROOT, 'shared'), target)))
      .filter((target) => !GROUND_FLOOR.includes(target.split('/')[0] ?? ''));
    expect(above).toEqual([]);
  });
});
