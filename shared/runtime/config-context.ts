import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ConfigContext } from './config.ts';

/** The context of this process: its current directory, its files, whether its log goes to a terminal, and who runs it. */
export function processContext(isTerminal: boolean, isFunction = false): ConfigContext {
  return {
    workingDirectory: process.cwd(),
    builtInQueries: fileURLToPath(new URL('../../queries', import.meta.url)),
    isTerminal,
    isFunction,
    pathKind,
  };
}

function pathKind(path: string): 'directory' | 'file' | 'other' | null {
  try {
    const found = statSync(path);
    return found.isDirectory() ? 'directory' : found.isFile() ? 'file' : 'other';
  } catch {
    // Whatever hides it (it is missing, a parent is a file, no permission), the service cannot use it.
    return null;
  }
}
