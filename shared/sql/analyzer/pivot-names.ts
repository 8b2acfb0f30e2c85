import type { ResolvedExpression, ResolvedLiteral } from '../resolved/expression.ts';

/** Longest name of a column, as BigQuery has it, in characters. */
const MAX_NAME = 300;
/** What no column's name may hold in BigQuery. */
const NOT_IN_NAMES = /[!"$()*,./;?@[\\\]^`{}~\p{C}]/u;

/**
 * The name that GoogleSQL makes of a value in the IN list of PIVOT: the text itself, `_1`, `minus_1`, `_1_point_5`, `_2026_01_02`, `true`,
 * `NULL`; of a struct, its names and values with `_` between. Behind a `prefix`, that and a `_` come first. Null where the value
 * has to have an alias.
 */
export function pivotValueName(value: ResolvedExpression, prefix: string | null): string | null {
  const name = nameOf(value);
  if (name === null || name.length > MAX_NAME || NOT_IN_NAMES.test(name)) return null;
  if (prefix !== null) return `${prefix}_${name}`;
  return value.type.kind !== 'STRING' && /^\d/.test(name) ? `_${name}` : name;
}

function nameOf(value: ResolvedExpression): string | null {
  if (value.kind === 'literal') return literalName(value);
  if (value.kind !== 'struct' || value.type.kind !== 'STRUCT') return null;
  const parts: string[] = [];
  for (const [index, field] of value.type.fields.entries()) {
    const part = value.fields[index];
    const name = part === undefined ? null : nameOf(part);
    // GoogleSQL has rules of its own for texts that no name begins with.
    const isOdd =
      part?.kind === 'literal' && part.type.kind === 'STRING' && !/^[\p{L}_]/u.test(String(part.value));
    if (name === null || (isOdd && part.value !== null)) return null;
    if (field.name !== '') parts.push(field.name);
    parts.push(name);
  }
  return parts.join('_');
}

function literalName({ type, value }: ResolvedLiteral): string | null {
  const isNamed = ['INT64', 'NUMERIC', 'BIGNUMERIC', 'BOOL', 'DATE', 'STRING', 'STRUCT'].includes(type.kind);
  if (!isNamed) return null;
  if (value === null) return 'NULL';
  switch (type.kind) {
    case 'STRING':
      return value === '' ? 'empty_string_value' : String(value);
    case 'DATE':
      return new Date(Number(value) * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '_');
    case 'BOOL':
      return String(value);
    default:
      return String(value)
        .replace(/(\.\d*?)0+$/, '$1')
        .replace(/\.$/, '')
        .replace('-', 'minus_')
        .replace('.', '_point_');
  }
}
