import * as z from 'zod';

/** Column types a table schema may use: BigQuery's JSON schema names, legacy and GoogleSQL spellings alike. */
const FIELD_TYPES = {
  STRING: 'STRING',
  BYTES: 'BYTES',
  INTEGER: 'INT64',
  INT64: 'INT64',
  FLOAT: 'FLOAT64',
  FLOAT64: 'FLOAT64',
  NUMERIC: 'NUMERIC',
  BIGNUMERIC: 'BIGNUMERIC',
  BOOLEAN: 'BOOL',
  BOOL: 'BOOL',
  TIMESTAMP: 'TIMESTAMP',
  DATETIME: 'DATETIME',
  DATE: 'DATE',
  TIME: 'TIME',
  JSON: 'JSON',
  RECORD: 'STRUCT',
  STRUCT: 'STRUCT',
} as const;

/** The type of a field, by its GoogleSQL name. */
export type FieldType = (typeof FIELD_TYPES)[keyof typeof FIELD_TYPES];

/** One column or nested field, with its type in GoogleSQL's name. `fields` is filled for STRUCT only. */
export interface FieldSchema {
  readonly name: string;
  readonly type: FieldType;
  readonly mode: 'NULLABLE' | 'REQUIRED' | 'REPEATED';
  readonly fields: readonly FieldSchema[];
}

/** The columns of a table, in order. */
export type TableSchema = readonly FieldSchema[];

/** The schemas of a dataset's tables by table name. */
export type TableSchemas = ReadonlyMap<string, TableSchema>;

const fieldSchema: z.ZodType<FieldSchema> = z.lazy(() =>
  z
    .strictObject({
      name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,299}$/, 'a name of letters, digits and underscores'),
      type: z.enum(Object.keys(FIELD_TYPES) as (keyof typeof FIELD_TYPES)[]),
      mode: z.enum(['NULLABLE', 'REQUIRED', 'REPEATED']).default('NULLABLE'),
      description: z.string().optional(),
      fields: z.array(fieldSchema).optional(),
    })
    .transform(({ name, type, mode, fields }) => ({
      name,
      type: FIELD_TYPES[type],
      mode,
      fields: fields ?? [],
    }))
    .refine((field) => (field.type === 'STRUCT') === field.fields.length > 0, {
      message: 'a RECORD needs fields, and only a RECORD has them',
    })
    .refine((field) => hasUniqueNames(field.fields), { message: 'two fields of one name' }),
);

/** A table's schema as BigQuery writes it: an array of fields. Throws a ZodError that names the faulty field. */
export const tableSchema: z.ZodType<TableSchema> = z
  .array(fieldSchema)
  .min(1)
  .refine(hasUniqueNames, { message: 'two fields of one name' });

/** BigQuery compares field names without regard to case. */
function hasUniqueNames(fields: TableSchema): boolean {
  return new Set(fields.map((field) => field.name.toLowerCase())).size === fields.length;
}
