/** Ends the process without a word when nobody reads its output any more, as in `lqe query … | head`. */
export function endWithReader(process: NodeJS.Process): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
}
