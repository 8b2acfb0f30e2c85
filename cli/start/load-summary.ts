import { nounFor } from '../../shared/errors/noun-for.ts';
import type { FilledStore } from '../../shared/runtime/fill-store.ts';

/** What was loaded from log files: fields beyond the schemas, and lines that were skipped. Empty for other logs. */
export function loadSummary({ report }: FilledStore): string {
  if (report === null) return '';
  const lines: string[] = [];
  for (const [source, { addedFields, skippedFiles, skipped }] of report.sources) {
    if (addedFields.length > 0) {
      const fields = addedFields.map(({ path, type }) => `${path} ${type}`).join(', ');
      lines.push(`${source}: fields added to its schema: ${fields}`);
    }
    if (skipped > 0)
      lines.push(
        `${source}: ${skipped.toLocaleString('en-US')} malformed ${nounFor(skipped, 'line')} skipped`,
      );
    for (const { file, skipped: count, first } of skippedFiles) {
      lines.push(`  ${file}: ${count} skipped; the first: ${first}`);
    }
  }
  return lines.map((line) => `${line}\n`).join('');
}
