import type { FileSetting } from '../../../shared/endpoints/setting-table.ts';

/** The table of a reference: each setting with what it takes, its default and what it does. */
export function referenceTable(table: Readonly<Record<string, FileSetting>>): string {
  const rows = Object.entries(table).map(([name, { schema, accepts, means }]) => {
    const { success, data } = schema.safeParse(undefined);
    const fallback = !success ? 'required' : data === undefined ? 'see right' : `\`${JSON.stringify(data)}\``;
    return `| \`${name}\` | ${cell(accepts)} | ${fallback} | ${cell(means)} |`;
  });
  return ['| setting | takes | default | what it does |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
