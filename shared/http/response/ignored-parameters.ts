import { MAX_IGNORED_HEADER_BYTES } from '../http-limits.ts';

const CUT = '...';

/**
 * The value of X-Ignored-Parameters: names percent-encoded (so that none can end the header or pass for two),
 * comma between them, an empty name as `""`. A list longer than the limit ends in `...`.
 */
export function ignoredParametersHeader(names: readonly string[]): string {
  let header = '';
  for (const name of names) {
    const entry = (header === '' ? '' : ', ') + encodeName(name);
    if (header.length + entry.length + CUT.length + 2 > MAX_IGNORED_HEADER_BYTES) {
      return header === '' ? CUT : `${header}, ${CUT}`;
    }
    header += entry;
  }
  return header;
}

function encodeName(name: string): string {
  return name === '' ? '""' : encodeURIComponent(name.toWellFormed());
}
