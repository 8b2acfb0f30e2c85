import type { Column, SqlType } from '../sql/types/sql-type.ts';
import type { SeverityKind } from './severities.ts';

/** A field of a source that says how serious an entry is. */
export interface SeverityField {
  /** The names from the column to the field. */
  readonly path: readonly string[];
  readonly kind: SeverityKind;
}

/** Names of fields in lower case, without underscores. */
const NAMES: Readonly<Record<SeverityKind, ReadonlySet<string>>> = {
  level: new Set(['level', 'loglevel', 'lvl', 'severity', 'severitytext', 'errorseverity']),
  status: new Set(['status', 'statuscode', 'httpstatus', 'responsestatus']),
};

/**
 * The fields that say how serious entries with these columns are: of each kind the one nearest to the top, the first of equally
 * near ones. None where no field has such a name and type.
 */
export function severityFields(columns: readonly Column[]): readonly SeverityField[] {
  const found = new Map<SeverityKind, readonly string[]>();
  let level: readonly Place[] = columns.map((column) => ({ path: [column.name], type: column.type }));
  while (level.length > 0) {
    for (const { path, type } of level) {
      const kind = kindOf(path.at(-1) ?? '', type);
      if (kind !== null && !found.has(kind)) found.set(kind, path);
    }
    level = level.flatMap(({ path, type }) =>
      fieldsOf(type).map((field) => ({ path: [...path, field.name], type: field.type })),
    );
  }
  return [...found].map(([kind, path]) => ({ path, kind }));
}

interface Place {
  readonly path: readonly string[];
  readonly type: SqlType;
}

function kindOf(name: string, type: SqlType): SeverityKind | null {
  const plain = name.toLowerCase().replaceAll('_', '');
  if (type.kind === 'STRING' && NAMES.level.has(plain)) return 'level';
  return type.kind === 'INT64' && NAMES.status.has(plain) ? 'status' : null;
}

/** The fields of a record or of the elements of a repeated one; none of any other type. */
function fieldsOf(type: SqlType): readonly Column[] {
  const element = type.kind === 'ARRAY' ? type.element : type;
  return element.kind === 'STRUCT' ? element.fields : [];
}
