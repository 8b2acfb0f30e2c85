import type { ChildProcess } from 'node:child_process';

/** Lets this process end while a child with an IPC channel lives. */
export function detachFromLoop(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
  if (child.stderr !== null && 'unref' in child.stderr && typeof child.stderr.unref === 'function')
    child.stderr.unref();
}
