import { escapeUnprintable } from '../../shared/runtime/printable.ts';

/** Text for a terminal: its lines stay lines, and whatever else would act on the terminal is written out. */
export function printableLines(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const isCrLf = line.endsWith('\r');
      return escapeUnprintable(isCrLf ? line.slice(0, -1) : line) + (isCrLf ? '\r' : '');
    })
    .join('\n');
}
