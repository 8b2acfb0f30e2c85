import { fieldType } from '../../../sql/analyzer/resolve-table.ts';
import { quoteIdentifier } from '../quote.ts';
import {
  type PhysicalColumn,
  physicalColumns,
  REPEATED_COLUMN,
  repeatedColumns,
  type TableLayout,
} from '../store/layout.ts';
import { word } from '../translate/duck/sql.ts';
import { storedText } from '../translate/encode-row.ts';
import { own, PartReader } from './part-reader.ts';
import type { PartTable } from './part-table.ts';
import { columnOfSeveral, hasTwice } from './several-records.ts';
import type { TableShape } from './table-shape.ts';

/** The columns of the tables that have a shape. */
export function shapeColumns(shape: TableShape, isRepeated: boolean): readonly PhysicalColumn[] {
  const layout = layoutOf(shape);
  return isRepeated ? repeatedColumns(shape.schema, layout) : physicalColumns(shape.schema, layout);
}

/** Those of the columns that are no part of a record: few, and enough to show entries as they are. */
export function narrowColumns(shape: TableShape): readonly PhysicalColumn[] {
  return shapeColumns(shape, false).filter(
    ({ kind, path, field }) => path.length <= 1 && (kind !== 'value' || field.type !== 'STRUCT'),
  );
}

function layoutOf({ flat }: TableShape): Pick<TableLayout, 'flat'> {
  return { flat: new Map(flat.map((path) => [path, 'sometimes'])) };
}

/** A SELECT of a part's entries as a table of another shape has them, one that holds all that the part's shape does. */
export function selectAs(part: PartTable, shape: TableShape): string {
  const isNoLongerFlat = part.shape.flat.some((path) => !shape.flat.includes(path));
  if (part.isRepeated) {
    const select = selectColumns(part, shape);
    return isNoLongerFlat ? `SELECT * FROM (${select}) WHERE ${hasTwice(shape)}` : select;
  }
  const reader = new PartReader(part);
  const lacksText = shapeColumns(shape, false).some(
    (column) => column.kind === 'text' && !reader.hasText(column),
  );
  if (part.beside === null || !(isNoLongerFlat || lacksText)) return selectColumns(part, shape);
  // A flat record that is there twice is in the other table alone.
  const beside = selectColumns({ ...part, ...part.beside, isRepeated: true, beside: null }, shape);
  const columns = shapeColumns(shape, false).map(
    (column) => `${columnOfSeveral(shape, column)} AS ${quoteIdentifier(column.name)}`,
  );
  const others = `${selectColumns(part, shape)} WHERE NOT ${own(REPEATED_COLUMN)}`;
  return `${others} UNION ALL SELECT ${columns.join(', ')} FROM (${beside})`;
}

/** Whether a part has the columns of a shape already, as `selectAs` would answer them. */
export function isReadAsIs(part: PartTable, shape: TableShape): boolean {
  if (part.shape.flat.some((path) => !shape.flat.includes(path))) return false;
  const reader = new PartReader(part);
  return shapeColumns(shape, part.isRepeated).every((column) => {
    if (column.kind === 'text' && !reader.hasText(column)) return false;
    return reader.column(column) === own(column.name);
  });
}

function selectColumns(part: PartTable, shape: TableShape): string {
  const reader = new PartReader(part);
  const made: string[] = [];
  const columns = shapeColumns(shape, part.isRepeated).map((column) => {
    const { name, kind, field, path } = column;
    if (kind !== 'text' || reader.hasText(column))
      return `${reader.column(column)} AS ${quoteIdentifier(name)}`;
    // The text names the value once for each field, so the value stands below.
    const value = quoteIdentifier(`${name}value`);
    made.push(`${reader.value(path, field)} AS ${value}`);
    const text = storedText(word(`p.${value}`), fieldType(field)).text();
    return `coalesce(${text}, ${field.mode === 'REPEATED' ? "'[]'" : "'null'"}) AS ${quoteIdentifier(name)}`;
  });
  const rows = made.length === 0 ? part.name : `(SELECT *, ${made.join(', ')} FROM ${part.name} AS p)`;
  return `SELECT ${columns.join(', ')} FROM ${rows} AS p`;
}
