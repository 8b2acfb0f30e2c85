/** Ends the process without a word when its output is no longer read, as in `lqe query … | head`. */
export function endWithReader(process: NodeJS.Process): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
}

/** Ends the process, whatever it still waits for, once all that was written has left it. */
export async function exitWhenFlushed(process: NodeJS.Process, code: number): Promise<void> {
  const written = (stream: NodeJS.WriteStream) =>
    new Promise<void>((resolve) => stream.write('', () => resolve()));
  await Promise.all([written(process.stdout), written(process.stderr)]);
  process.exit(code);
}
