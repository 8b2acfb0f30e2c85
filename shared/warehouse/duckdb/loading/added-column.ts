import { NOT_IN_COLUMN_NAMES } from '../../../schema/column-name.ts';
import type { FieldType } from '../../../schema/table-schema.ts';
import {
  addColumn,
  type Column,
  type ColumnTree,
  MAX_COLUMNS,
  MAX_DEPTH,
  type RecordNode,
  recordNode,
  removeLastColumn,
} from './column-tree.ts';
import { isObject, type JsonValue, kindOf } from './json-value.ts';
import { MalformedEntry } from './malformed-entry.ts';
import { isInt64, NeedsExactNumbers, NumberText, wholeNumber } from './number-text.ts';

/** How to take back, last first, what a refused entry did to the columns. */
export type UndoLog = (() => void)[];

/** BigQuery's limit for names of columns. */
const MAX_NAME_LENGTH = 300;

/**
 * Adds the column that a field which the schema lacks needs. Null and an empty array show no type: they answer
 * null and add nothing. Throws a MalformedEntry where BigQuery could have no such column.
 */
export function inferColumn(
  tree: ColumnTree,
  node: RecordNode,
  name: string,
  value: JsonValue,
  undo: UndoLog,
): Column | null {
  if (value === null || (Array.isArray(value) && value.length === 0)) return null;
  const shape = shapeOf(value);
  const unnamable = NOT_IN_COLUMN_NAMES.exec(name);
  if (name === '' || name.length > MAX_NAME_LENGTH || unnamable !== null) {
    throw new MalformedEntry(
      unnamable === null
        ? `a field's name must have 1 to ${MAX_NAME_LENGTH} characters`
        : `a field's name cannot have the character ${JSON.stringify(unnamable[0])}`,
    );
  }
  if (tree.columnCount >= MAX_COLUMNS) {
    throw new MalformedEntry(
      `a new field, but entries add none to a table that has ${MAX_COLUMNS} columns and nested fields; send names that vary as values, or declare the field in the schema`,
    );
  }
  if (shape.type === 'STRUCT' && node.depth >= MAX_DEPTH) {
    throw new MalformedEntry(`records cannot be nested more than ${MAX_DEPTH} levels deep`);
  }
  const record = shape.type === 'STRUCT' ? recordNode(node.depth + 1, node.isFlat) : null;
  const column = addColumn(tree, node, { name, ...shape, record, declared: false, required: false });
  tree.version += 1;
  undo.push(() => {
    removeLastColumn(tree, node);
    tree.version -= 1;
  });
  return column;
}

/**
 * Widens an added column until it holds a value too: INT64 and FLOAT64 become FLOAT64, other mixes of scalars
 * STRING. Throws a MalformedEntry when one is a record or an array and the other is not.
 */
export function widenColumn(tree: ColumnTree, column: Column, value: JsonValue, undo: UndoLog): void {
  if (value === null || (Array.isArray(value) && value.length === 0)) return;
  const shape = shapeOf(value);
  const { type } = column;
  const isRecord = type === 'STRUCT';
  if (isRecord !== (shape.type === 'STRUCT') || column.repeated !== shape.repeated) {
    const earlier = isRecord ? 'an object' : column.repeated ? 'an array' : 'a single value';
    throw new MalformedEntry(`${kindOf(value)} where earlier entries have ${earlier}`);
  }
  const wider = widerType(type, shape.type);
  if (wider === type) return;
  column.type = wider;
  tree.version += 1;
  undo.push(() => {
    column.type = type;
    tree.version -= 1;
  });
}

interface Shape {
  readonly type: FieldType;
  readonly repeated: boolean;
}

function shapeOf(value: JsonValue): Shape {
  if (Array.isArray(value)) {
    const types = value.map((element: JsonValue) => elementType(element));
    if (types.includes('STRUCT') && types.some((type) => type !== 'STRUCT')) {
      throw new MalformedEntry('an array that mixes objects with other values');
    }
    return { type: types.reduce(widerType), repeated: true };
  }
  return isObject(value) ? { type: 'STRUCT', repeated: true } : { type: elementType(value), repeated: false };
}

function elementType(value: JsonValue): FieldType {
  if (typeof value === 'string') return 'STRING';
  if (typeof value === 'boolean') return 'BOOL';
  if (value instanceof NumberText) {
    const whole = wholeNumber(value.source);
    return whole !== null && isInt64(whole) ? 'INT64' : 'FLOAT64';
  }
  if (typeof value === 'number') {
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw new NeedsExactNumbers();
    return Number.isInteger(value) ? 'INT64' : 'FLOAT64';
  }
  if (isObject(value)) return 'STRUCT';
  throw new MalformedEntry(value === null ? 'null in an array' : 'an array in an array');
}

function widerType(a: FieldType, b: FieldType): FieldType {
  if (a === b) return a;
  const numbers = ['INT64', 'FLOAT64'];
  return numbers.includes(a) && numbers.includes(b) ? 'FLOAT64' : 'STRING';
}
