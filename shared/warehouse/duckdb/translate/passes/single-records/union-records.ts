import type { ResolvedColumn, ResolvedExpression } from '../../../../../sql/resolved/expression.ts';
import {
  callOf,
  columnReference,
  either,
  fieldOf,
  nullOf,
} from '../../../../../sql/resolved/make-expression.ts';
import { BOOL, type StructType } from '../../../../../sql/types/sql-type.ts';
import { wholeColumn } from './environment.ts';
import { type FlatField, type FlatRecord, fieldAt, recordType } from './flat-record.ts';
import type { RecordRewriter } from './record-rewriter.ts';
import { builtRecord, fieldOfRecord, isPresent, isRecord, type Value, wholeRecord } from './record-value.ts';

/** One input of a set operation, to which columns may be added. */
export interface SetInput {
  /** The columns that count; more are added while the plan is rewritten. */
  readonly columns: ResolvedColumn[];
  /** A new column of the input. */
  compute(expression: ResolvedExpression): ResolvedColumn;
}

/** The flat records of a UNION ALL; what is asked of them becomes a column of all its inputs. */
export class UnionRecords {
  readonly #rewriter: RecordRewriter;
  readonly #inputs: readonly SetInput[];
  readonly #columns: ResolvedColumn[];
  readonly #exposed = new Map<string, ResolvedColumn>();

  /** `columns` are those of the union; more are added. */
  constructor(rewriter: RecordRewriter, inputs: readonly SetInput[], columns: ResolvedColumn[]) {
    this.#rewriter = rewriter;
    this.#inputs = inputs;
    this.#columns = columns;
  }

  /** Says which JSON text a column of the union has, which each input has as one of `sources`. */
  addText(column: ResolvedColumn, sources: readonly ResolvedColumn[]): void {
    const { environment } = this.#rewriter;
    const texts = sources.flatMap((source) => environment.text(source) ?? []);
    if (texts.length < sources.length) return;
    environment.setText(column, () => this.#expose(texts.map((text) => text())));
  }

  /** Says what a column of the union is, of which some input has a flat record among `sources`. */
  addRecord(column: ResolvedColumn, sources: readonly ResolvedColumn[]): void {
    const { environment } = this.#rewriter;
    const isArray = column.type.kind === 'ARRAY';
    const struct = recordType(column.type);
    const known = sources.map((source) => environment.value(source) ?? columnReference(source));
    const values = known.filter((value) => value.kind !== 'lazy');
    const isUnion = values.length === known.length && (!isArray || values.every(isRecord));
    if (isUnion && struct !== null) {
      environment.setValue(column, wholeRecord(this.#union(struct, values), isArray));
      return;
    }
    const whole = () =>
      this.#expose(
        sources.map((source, index) => {
          const value = environment.value(source);
          return value === null ? source : this.#columnOf(index, wholeColumn(value));
        }),
      );
    environment.setValue(column, { kind: 'lazy', whole });
  }

  #union(type: StructType, values: readonly Value[]): FlatRecord {
    const isSure = (value: Value) =>
      isRecord(value) && (value.isKnown || value.record.presence === 'always') && value.missing === null;
    const fields = new Map<number, FlatField>();
    let present: ResolvedColumn | null = null;
    return {
      type,
      presence: values.every(isSure) ? 'always' : 'sometimes',
      mayBeExtended: values.some((value) => isRecord(value) && value.missing !== null),
      isPresent: () => {
        present ??= this.#expose(values.map((value, index) => this.#columnOf(index, presenceOf(value))));
        return present;
      },
      field: (index) => {
        const field = fields.get(index) ?? this.#field(type, values, index);
        fields.set(index, field);
        return field;
      },
    };
  }

  #field(type: StructType, values: readonly Value[], index: number): FlatField {
    const fields = values.map((value) =>
      isRecord(value) ? fieldOfRecord(value, index) : fieldOf(value, index),
    );
    const fieldType = fieldAt(type, index).type;
    const struct = recordType(fieldType);
    const isArray = fieldType.kind === 'ARRAY';
    const isUnion = isArray ? fields.every(isRecord) : fields.some(isRecord);
    if (isUnion && struct !== null) return { kind: 'record', record: this.#union(struct, fields), isArray };
    const columns = fields.map((field, input) =>
      this.#columnOf(input, isRecord(field) ? builtRecord(field) : field),
    );
    return { kind: 'value', column: this.#expose(columns) };
  }

  #columnOf(input: number, expression: ResolvedExpression): ResolvedColumn {
    if (expression.kind === 'column') return expression.column;
    const column = this.#inputs[input]?.compute(expression);
    if (column === undefined) throw new TypeError(`no input ${input}`);
    return column;
  }

  #expose(columns: readonly ResolvedColumn[]): ResolvedColumn {
    const key = columns.map(({ id }) => id).join(' ');
    const known = this.#exposed.get(key);
    if (known !== undefined) return known;
    const [{ name, type }] = columns as readonly [ResolvedColumn];
    const column = this.#rewriter.newColumn(name, type);
    for (const [index, input] of this.#inputs.entries()) input.columns.push(columns[index] ?? column);
    this.#columns.push(column);
    this.#exposed.set(key, column);
    return column;
  }
}

/** Whether there is the record, NULL where its array is missing. */
function presenceOf(value: Value): ResolvedExpression {
  if (!isRecord(value)) return callOf('$NOT', BOOL, callOf('$IS_NULL', BOOL, value));
  const present = isPresent(value);
  return value.missing === null ? present : either(value.missing(), nullOf(BOOL), present);
}
