import { printable } from './printable.ts';
import { PROJECT_ID, type SettingKind } from './setting-kinds.ts';

/** By source, its table or view, or null for a source that is absent. */
export type LogTables = ReadonlyMap<string, string | null>;

/** A table's name may have letters of any script, digits, connectors, dashes and spaces; a dot would end it. */
const TABLE = new RegExp(
  `^(?:${PROJECT_ID}\\.)?[A-Za-z0-9_]{1,1024}\\.[\\p{L}\\p{M}\\p{N}\\p{Pc}\\p{Pd} ]{1,1024}$`,
  'u',
);
const SOURCE = /^[a-z_][a-z0-9_]{0,99}$/;
const MOST_SOURCES = 1_000;

/** Tables by source as a JSON object. */
export const LOG_TABLES: SettingKind<LogTables> = {
  placeholder: 'JSON',
  accepts:
    'a JSON object of tables or views by source, such as {"edge_logs":"acme-lake.raw.cloudflare","auth_logs":null}, with null for a source that is absent',
  parse: (text) => {
    const read = readLogTables(text);
    return typeof read === 'string' ? undefined : read;
  },
  problem: (text) => {
    const read = readLogTables(text);
    return typeof read === 'string' ? read : printable(text);
  },
};

/** The tables, or what is wrong with them. */
function readLogTables(text: string): LogTables | string {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return `${printable(text)}, which is no JSON object`;
  }
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value);
  if (entries.length > MOST_SOURCES) return `${entries.length} sources, more than ${MOST_SOURCES}`;
  const tables = new Map<string, string | null>();
  for (const [source, table] of entries) {
    if (!SOURCE.test(source)) return `the source ${printable(source)}, which is no source's name`;
    if (table !== null && typeof table !== 'string') return `no table for ${source}, but ${kindOf(table)}`;
    if (table !== null && !TABLE.test(table)) {
      return `${printable(table)} for ${source}, which is not dataset.table or project.dataset.table`;
    }
    tables.set(source, table);
  }
  return tables;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `the ${typeof value} ${String(value)}`;
}
