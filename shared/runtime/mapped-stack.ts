import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Where the code lies that this is part of, as a URL that ends with a slash. */
const OWN_FOLDER = new URL('.', import.meta.url).href;
const POSITION = /(file:\/\/\/[^\s()]+\.mjs):(\d+):(\d+)/g;

/**
 * The stack of an error with the places in bundled code as those in its sources: `shared/http/server/route.ts:59:12`. What has
 * no source map beside it in the folder stays as it is. Never throws. Maps are read only here, since Node's own
 * `--enable-source-maps` reads the one of every module when it is loaded.
 */
export function mappedStack(stack: string, folder: string = OWN_FOLDER): string {
  const maps = new Map<string, SourceMap | null>();
  const mapOf = (url: string): SourceMap | null => {
    const known = maps.get(url);
    if (known !== undefined) return known;
    const map = url.startsWith(folder) ? readMap(url) : null;
    maps.set(url, map);
    return map;
  };
  return stack.replaceAll(POSITION, (written: string, url: string, line: string, column: string) => {
    // Maps count from 0, stacks from 1.
    const entry = mapOf(url)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (entry === undefined || !('originalSource' in entry)) return written;
    const { generatedLine, originalSource, originalLine, originalColumn } = entry;
    if (generatedLine !== Number(line) - 1) return written;
    return `${originalSource}:${originalLine + 1}:${originalColumn + 1}`;
  });
}

function readMap(url: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')));
  } catch {
    return null;
  }
}
