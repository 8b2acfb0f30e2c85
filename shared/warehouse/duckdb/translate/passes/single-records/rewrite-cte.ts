import type { ResolvedColumn } from '../../../../../sql/resolved/expression.ts';
import { columnReference } from '../../../../../sql/resolved/make-expression.ts';
import type { CteScan, ResolvedCte, ResolvedScan } from '../../../../../sql/resolved/scan.ts';
import { mapExpression } from '../../../../../sql/resolved/transform.ts';
import { type Expose, exposedRecord } from './flat-record.ts';
import type { RecordRewriter } from './record-rewriter.ts';

/** A CTE over flat records: what one use of it asks for becomes a column of the CTE, and of all its uses. */
interface RewrittenCte {
  readonly cte: ResolvedCte;
  /** The columns of `cte`; more are added while the plan is rewritten. */
  readonly columns: ResolvedColumn[];
  /** The columns of each use, by position those of the CTE. */
  readonly uses: ResolvedColumn[][];
}

/** Rewrites the CTEs of one plan, each once. */
export class CteRewriter {
  readonly #rewriter: RecordRewriter;
  readonly #rewritten = new Map<number, RewrittenCte>();

  constructor(rewriter: RecordRewriter) {
    this.#rewriter = rewriter;
  }

  rewrite(scan: CteScan): ResolvedScan {
    const { environment } = this.#rewriter;
    const known = this.#rewritten.get(scan.cte.id) ?? this.#rewriteDefinition(scan.cte);
    const isSame =
      known.cte.scan === scan.cte.scan &&
      scan.cte.columns.every((column) => environment.text(column) === null);
    if (isSame) return scan;
    const outerOf = new Map(scan.cte.columns.map(({ id }, index) => [id, scan.columns[index]]));
    const columns = known.columns.map((inner) => outerOf.get(inner.id) ?? this.#copy(inner));
    known.uses.push(columns);
    const expose = this.#exposeFor(known, columns);
    for (const [index, inner] of scan.cte.columns.entries()) {
      const outer = scan.columns[index];
      if (outer !== undefined) this.#exposeColumn(inner, outer, expose);
    }
    return { ...scan, cte: known.cte, columns };
  }

  #rewriteDefinition(cte: ResolvedCte): RewrittenCte {
    const { environment } = this.#rewriter;
    const scan = this.#rewriter.scan(cte.scan);
    const columns = cte.columns.filter((column) => environment.value(column) === null);
    const rewritten = { cte: { ...cte, scan, columns }, columns, uses: [] };
    this.#rewritten.set(cte.id, rewritten);
    return rewritten;
  }

  #exposeFor({ columns, uses }: RewrittenCte, own: readonly ResolvedColumn[]): Expose {
    return (inner) => {
      let position = columns.findIndex(({ id }) => id === inner.id);
      if (position === -1) {
        position = columns.push(inner) - 1;
        for (const use of uses) use.push(this.#copy(inner));
      }
      const outer = own[position];
      if (outer === undefined) throw new TypeError(`column ${inner.id} of a CTE is not exposed`);
      return outer;
    };
  }

  #exposeColumn(inner: ResolvedColumn, outer: ResolvedColumn, expose: Expose): void {
    const { environment } = this.#rewriter;
    const value = environment.value(inner);
    const text = environment.text(inner);
    if (text !== null) environment.setText(outer, () => expose(text()));
    if (value === null) return;
    if (value.kind === 'lazy') {
      environment.setValue(outer, { kind: 'lazy', whole: () => expose(value.whole()) });
      return;
    }
    const { missing } = value;
    const outside = () =>
      mapExpression(missing?.() ?? columnReference(inner), (part) =>
        part.kind === 'column' ? columnReference(expose(part.column)) : null,
      );
    environment.setValue(outer, {
      ...value,
      record: exposedRecord(value.record, expose),
      missing: missing === null ? null : outside,
    });
  }

  #copy({ name, type }: ResolvedColumn): ResolvedColumn {
    return this.#rewriter.newColumn(name, type);
  }
}
