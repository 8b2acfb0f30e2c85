import type { SqlType } from '../../shared/sql/types/sql-type.ts';

/** A value as both sides are brought to: text for every scalar type, an array for arrays and structs. */
export type Cell = string | null | readonly Cell[];

/** What one side makes of a query. */
export type Answer =
  | {
      readonly kind: 'rows';
      readonly columns: readonly { readonly name: string; readonly type: string }[];
      readonly rows: readonly (readonly Cell[])[];
    }
  | { readonly kind: 'error'; readonly message: string }
  /** Only the engine: it says by name what it cannot compute, or that the query is too large for it. */
  | { readonly kind: 'refused'; readonly message: string }
  /** Only the engine: an answer that no query should get. */
  | { readonly kind: 'broken'; readonly message: string }
  /** Only the evaluator: it cannot run the query, whatever the query is worth. */
  | { readonly kind: 'unjudged'; readonly message: string };

/** A number's text is kept, since JavaScript's numbers do not hold every INT64. */
class NumberText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Reads the JSON text of a row or of a JSON value without rounding its numbers. */
export function parseExactly(json: string): unknown {
  return JSON.parse(json, (_, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? new NumberText(context?.source ?? String(value)) : value,
  );
}

/** A value of a wire type (docs/http-api.md) as a cell. */
export function cellOfWire(value: unknown, type: SqlType): Cell {
  if (value === null || value === undefined) return null;
  if (type.kind === 'ARRAY')
    return (value as readonly unknown[]).map((item) => cellOfWire(item, type.element));
  if (type.kind === 'STRUCT') {
    const fields = value as Readonly<Record<string, unknown>>;
    return type.fields.map(({ name, type: field }, index) =>
      cellOfWire(fields[name === '' ? `_field_${index + 1}` : name], field),
    );
  }
  if (type.kind === 'JSON') return jsonText(value);
  return value instanceof NumberText ? value.text : String(value);
}

/** JSON with sorted keys, and numbers as their values are. */
function jsonText(value: unknown): string {
  if (value instanceof NumberText)
    return /^-?\d+$/.test(value.text) ? BigInt(value.text).toString() : String(Number(value.text));
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${jsonText(member)}`).join(',')}}`;
}

/** A cell in the one spelling that its value has, whichever side wrote it. `type` is GoogleSQL's text. */
export function normalCell(cell: Cell, type: string): Cell {
  // BigQuery's results have no NULL arrays: a query's answer has an empty one for it.
  if (cell === null) return type.startsWith('ARRAY<') ? [] : null;
  if (Array.isArray(cell)) {
    const element = /^ARRAY<(.*)>$/s.exec(type)?.[1];
    const types = element === undefined ? fieldTypes(type) : null;
    return cell.map((item: Cell, index) => normalCell(item, types?.[index] ?? element ?? ''));
  }
  const text = cell as string;
  switch (type) {
    case 'FLOAT64':
      return floatText(text);
    case 'JSON':
      // JSON's null is null in an answer, as NULL is.
      return text === 'null' ? null : jsonText(parseExactly(text));
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return text.includes('.') ? text.replace(/\.?0+$/, '').replace(/^-0$/, '0') : text;
    case 'DATE':
      return /^-?\d+$/.test(text)
        ? new Date(Number(text) * 86_400_000).toISOString().slice(0, 10).padStart(10, '0')
        : text;
    case 'DATETIME':
    case 'TIME':
      return timeText(text);
    case 'INTERVAL':
      return text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
    default:
      return text;
  }
}

function floatText(text: string): string {
  const value = Number(text);
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Java leaves out seconds that are zero, and counts fractions in threes. */
function timeText(text: string): string {
  const whole = /:\d\d:\d\d/.test(text) ? text : `${text}:00`;
  return whole.includes('.') ? whole.replace(/\.?0+$/, '') : whole;
}

/** The types of a struct's fields, out of its type's text. */
function fieldTypes(type: string): string[] {
  const fields: string[] = [];
  let depth = 0;
  let field = '';
  for (const letter of type.slice('STRUCT<'.length, -1)) {
    if (letter === '<') depth++;
    if (letter === '>') depth--;
    if (letter === ',' && depth === 0) {
      fields.push(field);
      field = '';
    } else field += letter;
  }
  fields.push(field);
  return fields.map((text) => text.trim().replace(/^[a-z_]\w* (?=[A-Z])/, ''));
}
