import type { ResolvedExpression } from '../../../../../sql/resolved/expression.ts';
import { columnReference } from '../../../../../sql/resolved/make-expression.ts';
import type { ComputedColumn, ResolvedScan, SetOperationScan } from '../../../../../sql/resolved/scan.ts';
import { changed } from '../../../../../sql/resolved/transform.ts';
import type { ColumnValue } from './environment.ts';
import { wholeColumn } from './environment.ts';
import type { RecordRewriter } from './record-rewriter.ts';
import { type SetInput, UnionRecords } from './union-records.ts';

/**
 * UNION ALL hands flat records through, as the columns that are asked for. Other set operations compare whole values, and a
 * recursion's columns are the same in each step, so these are put together.
 */
export function rewriteSetOperation(rewriter: RecordRewriter, scan: SetOperationScan): ResolvedScan {
  const { environment } = rewriter;
  const rewritten = scan.inputs.map((input) => rewriter.scan(input.scan));
  const valuesAt = (position: number): readonly (ColumnValue | null)[] =>
    scan.inputs.map(({ columns }) => {
      const column = columns[position];
      return column === undefined ? null : environment.value(column);
    });
  const isUnionAll = scan.operator === 'UNION' && !scan.distinct && scan.recursion === undefined;
  for (const [position, column] of scan.columns.entries()) {
    const sources = scan.inputs.flatMap(({ columns }) => columns[position] ?? []);
    const isSame = sources.every((source) => environment.isConstant(columnReference(source)));
    if (isUnionAll && isSame) environment.setConstant(column);
  }
  const isSplit = scan.columns.map((_, position) => valuesAt(position).some((value) => value !== null));
  const hasTexts = scan.inputs.every(({ columns }) =>
    columns.some((column) => environment.text(column) !== null),
  );
  if (!isSplit.includes(true) && !hasTexts) {
    const inputs = scan.inputs.map((input, index) =>
      changed(input, { scan: rewritten[index] ?? input.scan }),
    );
    return inputs.every((input, index) => input === scan.inputs[index]) ? scan : { ...scan, inputs };
  }
  const computed = scan.inputs.map((): ComputedColumn[] => []);
  const inputs = scan.inputs.map((input, index): SetInput => {
    const compute = (expression: ResolvedExpression) => {
      const column = rewriter.newColumn('', expression.type);
      computed[index]?.push({ column, expression });
      return column;
    };
    const columns = input.columns.flatMap((column, position) => {
      if (!isSplit[position]) return [column];
      if (isUnionAll) return [];
      const value = environment.value(column);
      return [value === null ? column : compute(wholeColumn(value))];
    });
    return { columns, compute };
  });
  const columns = scan.columns.filter((_, position) => !isUnionAll || !isSplit[position]);
  if (isUnionAll) {
    const union = new UnionRecords(rewriter, inputs, columns);
    for (const [position, column] of scan.columns.entries()) {
      const sources = scan.inputs.map((input) => input.columns[position] ?? column);
      union.addText(column, sources);
      if (isSplit[position]) union.addRecord(column, sources);
    }
  }
  return {
    ...scan,
    columns,
    inputs: inputs.map((input, index) => ({
      columns: input.columns,
      scan: {
        kind: 'project',
        input: rewritten[index] ?? { kind: 'single-row' },
        computed: computed[index] ?? [],
      },
    })),
  };
}
