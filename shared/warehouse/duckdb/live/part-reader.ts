import type { FieldSchema, TableSchema } from '../../../schema/table-schema.ts';
import { quoteIdentifier, quoteLiteral } from '../quote.ts';
import { columnType } from '../store/column-type.ts';
import {
  type PhysicalColumn,
  presenceColumn,
  REPEATED_COLUMN,
  textColumn,
  valueColumn,
} from '../store/layout.ts';
import type { PartTable } from './part-table.ts';
import { fieldNamed } from './table-shape.ts';

/** Writes expressions over the columns of one part. */
export class PartReader {
  readonly #part: PartTable;
  readonly #flat: ReadonlySet<string>;
  #depth = 0;

  constructor(part: PartTable) {
    this.#part = part;
    this.#flat = new Set(part.flat);
  }

  /** Whether the part has the text of a record as it is now. */
  hasText({ path, field }: PhysicalColumn): boolean {
    const known = this.#field(path);
    return (
      known !== undefined && this.#part.shape.flat.includes(known.field.name) && isSame(known.field, field)
    );
  }

  value(path: readonly string[], target: FieldSchema): string {
    return this.#value(this.#field(path), target);
  }

  column({ kind, path, field }: PhysicalColumn): string {
    const known = this.#field(path);
    switch (kind) {
      case 'presence':
        return known === undefined ? 'FALSE' : own(presenceColumn(known.path));
      case 'value':
        return this.#value(known, field);
      case 'text':
        return own(textColumn(known?.field.name ?? field.name));
      case 'repeated':
        return this.#part.flat.length === 0 ? 'FALSE' : own(REPEATED_COLUMN);
      default: {
        const unreachable: never = kind;
        throw new TypeError(`column ${unreachable}`);
      }
    }
  }

  #field(
    path: readonly string[],
  ): { readonly field: FieldSchema; readonly path: readonly string[] } | undefined {
    let fields: TableSchema = this.#part.shape.schema;
    let field: FieldSchema | undefined;
    const names: string[] = [];
    for (const name of path) {
      field = fieldNamed(fields, name);
      if (field === undefined) return undefined;
      names.push(field.name);
      fields = field.fields;
    }
    return field === undefined ? undefined : { field, path: names };
  }

  /** A field that lies in flat records only, as `target` has it. */
  #value(
    known: { readonly field: FieldSchema; readonly path: readonly string[] } | undefined,
    target: FieldSchema,
  ): string {
    if (known === undefined) return absent(target);
    const { field, path } = known;
    if (!this.#flat.has(valueColumn(path))) return this.#convert(own(valueColumn(path)), field, target);
    const fields = target.fields.map((nested) => {
      const same = fieldNamed(field.fields, nested.name);
      const inner = same === undefined ? undefined : { field: same, path: [...path, same.name] };
      return `${quoteIdentifier(nested.name)} := ${this.#value(inner, nested)}`;
    });
    const record = `struct_pack(${fields.join(', ')})`;
    const present = own(presenceColumn(path));
    if (target.mode !== 'REPEATED') return `CASE WHEN ${present} THEN ${record} END`;
    const none = path.length === 1 ? 'ELSE []' : `WHEN ${own(presenceColumn(path.slice(0, -1)))} THEN []`;
    return `CASE WHEN ${present} THEN [${record}] ${none} END`;
  }

  #convert(value: string, field: FieldSchema, target: FieldSchema): string {
    if (isSame(field, target)) return value;
    if (field.type !== 'STRUCT') return `CAST(${value} AS ${columnType(target)})`;
    if (field.mode !== 'REPEATED') return this.#record(value, field, target);
    this.#depth += 1;
    const element = `e${this.#depth}`;
    return `list_transform(${value}, lambda ${element}: ${this.#record(element, field, target)})`;
  }

  #record(value: string, field: FieldSchema, target: FieldSchema): string {
    const fields = target.fields.map((nested) => {
      const same = fieldNamed(field.fields, nested.name);
      const inner =
        same === undefined
          ? absent(nested)
          : this.#convert(`struct_extract(${value}, ${quoteLiteral(same.name)})`, same, nested);
      return `${quoteIdentifier(nested.name)} := ${inner}`;
    });
    return `CASE WHEN ${value} IS NOT NULL THEN struct_pack(${fields.join(', ')}) END`;
  }
}

/** A column of the part, under its alias. */
export const own = (column: string): string => `p.${quoteIdentifier(column)}`;

/** What entries have in a field that came up after they were stored. */
function absent(target: FieldSchema): string {
  return `CAST(${target.mode === 'REPEATED' ? '[]' : 'NULL'} AS ${columnType(target)})`;
}

function isSame(a: FieldSchema, b: FieldSchema): boolean {
  return (
    JSON.stringify([a.name, a.type, a.mode === 'REPEATED', a.fields]) ===
    JSON.stringify([b.name, b.type, b.mode === 'REPEATED', b.fields])
  );
}
