import type { FieldSchema, TableSchema } from '../../../../../../shared/schema/table-schema.ts';
import type { Choices } from './choices.ts';
import type { ScalarName } from './types.ts';

const SCALARS: readonly ScalarName[] = [
  ...(['STRING', 'INT64', 'STRING', 'INT64', 'BOOL', 'FLOAT64', 'TIMESTAMP'] as const),
  ...(['NUMERIC', 'BIGNUMERIC', 'BYTES', 'DATETIME', 'DATE', 'TIME', 'JSON'] as const),
];

/** Names that come again at several levels, are keywords, differ in case alone from others, or look like the layout's own. */
const NAMES = ['a', 'b', 'metadata', 'request', 'select', 'B_c', '_d', 'value', 'offset', 'text', 'present'];
const MOST_LEVELS = 4;

const FIXED: TableSchema = [
  { name: 'id', type: 'STRING', mode: 'REQUIRED', fields: [] },
  { name: 'timestamp', type: 'TIMESTAMP', mode: 'REQUIRED', fields: [] },
];

/** A source's schema: the fixed columns, and others, of which one is a record at least. */
export function madeSchema(choices: Choices): TableSchema {
  const names = namesFrom(choices, 6);
  const record = recordField(choices, names.pop() ?? 'r', 1);
  const others = choices.several(0, 3, () => madeField(choices, names.pop() ?? 'x', 1));
  return [...FIXED, record, ...others];
}

function madeField(choices: Choices, name: string, level: number): FieldSchema {
  const kind = choices.pick(['scalar', 'scalar', 'record', 'array'] as const);
  if (kind === 'record' && level <= MOST_LEVELS) return recordField(choices, name, level);
  const type = choices.pick(SCALARS);
  if (kind === 'array') return { name, type, mode: 'REPEATED', fields: [] };
  return { name, type, mode: choices.chance(10) ? 'REQUIRED' : 'NULLABLE', fields: [] };
}

function recordField(choices: Choices, name: string, level: number): FieldSchema {
  const mode = choices.pick(['REPEATED', 'REPEATED', 'REPEATED', 'NULLABLE'] as const);
  const names = namesFrom(choices, 4);
  const fields = choices.several(1, 4, () => madeField(choices, names.pop() ?? 'y', level + 1));
  return { name, type: 'STRUCT', mode, fields };
}

function namesFrom(choices: Choices, count: number): string[] {
  const start = choices.below(NAMES.length);
  return Array.from({ length: count }, (_, index) => NAMES[(start + index * 3) % NAMES.length] ?? '');
}
