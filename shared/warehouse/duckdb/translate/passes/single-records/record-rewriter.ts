import type { ResolvedColumn, ResolvedExpression } from '../../../../../sql/resolved/expression.ts';
import type { CteScan, ResolvedScan } from '../../../../../sql/resolved/scan.ts';
import type { SqlType } from '../../../../../sql/types/sql-type.ts';
import type { KnownData } from '../known-data.ts';
import { Environment } from './environment.ts';
import { builtRecord, isRecord, type Value } from './record-value.ts';
import { CteRewriter } from './rewrite-cte.ts';
import { valueIn } from './rewrite-expression.ts';
import { rewriteScan } from './rewrite-scan.ts';

/** Rewrites one plan over flat records. */
export class RecordRewriter {
  readonly layouts: KnownData['layouts'];
  readonly environment = new Environment();
  readonly #newColumnId: () => number;
  readonly #ctes = new CteRewriter(this);
  /** Conditions that the rows of scans meet, which are there because records are. */
  readonly #guards = new WeakMap<ResolvedScan, readonly ResolvedExpression[]>();

  constructor(layouts: KnownData['layouts'], newColumnId: () => number) {
    this.layouts = layouts;
    this.#newColumnId = newColumnId;
  }

  newColumn(name: string, type: SqlType): ResolvedColumn {
    return { id: this.#newColumnId(), name, type };
  }

  scan(scan: ResolvedScan): ResolvedScan {
    return rewriteScan(this, scan);
  }

  cte(scan: CteScan): ResolvedScan {
    return this.#ctes.rewrite(scan);
  }

  /** What an expression is; a flat record comes as one. */
  value(expression: ResolvedExpression): Value {
    return valueIn(this, expression);
  }

  /** The expression over the columns that there are. */
  expression(expression: ResolvedExpression): ResolvedExpression {
    const value = this.value(expression);
    return isRecord(value) ? builtRecord(value) : value;
  }

  setGuards(scan: ResolvedScan, guards: readonly ResolvedExpression[]): void {
    this.#guards.set(scan, guards);
  }

  guardsOf(scan: ResolvedScan): readonly ResolvedExpression[] {
    return this.#guards.get(scan) ?? [];
  }
}
