import { conjuncts } from '../../../../sql/resolved/conjuncts.ts';
import { countCteUses } from '../../../../sql/resolved/cte-uses.ts';
import type { ResolvedColumn, ResolvedExpression } from '../../../../sql/resolved/expression.ts';
import { allOf, isLiteral } from '../../../../sql/resolved/make-expression.ts';
import { mapPlan } from '../../../../sql/resolved/map-plan.ts';
import type { CteScan, FilterScan, ResolvedScan, TableScan } from '../../../../sql/resolved/scan.ts';
import { changed, mapExpression, mapParts } from '../../../../sql/resolved/transform.ts';
import { isPartOf, presenceColumn, REPEATED_COLUMN } from '../../store/layout.ts';
import { type TableRecords, tableRecords } from '../../store/table-records.ts';
import { neverRaises } from '../never-raises.ts';
import type { KnownData } from './known-data.ts';
import { knownWhere } from './null-rejecting.ts';
import type { Pass } from './pass.ts';
import { isPlain, tableColumn } from './plain-rows.ts';

/**
 * Whether there is a record is not asked where another condition holds only for rows that have it: for a record that lies in
 * it, or for a field of it that is not NULL. The columns of conditions that are left out are not read.
 */
export const IMPLIED_PRESENCE: Pass = {
  name: 'implied presence',
  stage: 'page',
  isCandidate: (scan, { known }) => scan.kind === 'table' && flatRecords(known.layouts, scan.table) !== null,
  run(plan, { known, outputs }) {
    const uses = countCteUses(plan);
    const rewriter = new PresenceRewriter(known.layouts, ({ cte }) => uses.get(cte.id) === 1);
    return mapPlan(plan, outputs, (scan) => rewriter.rewrite(scan));
  },
};

/** The flat records of a table; null for one in which none is flat. */
function flatRecords(layouts: KnownData['layouts'], table: string): TableRecords | null {
  const records = tableRecords(layouts, table);
  return records === null || records.flat.size === 0 ? null : records;
}

/** What is known of a table's rows: columns that are not NULL, and records that are there. */
interface Facts {
  readonly fields: readonly string[];
  readonly records: readonly string[];
}

const NO_FACTS: Facts = { fields: [], records: [] };

/** Rewrites the scans of a plan from the top. */
class PresenceRewriter {
  readonly #layouts: KnownData['layouts'];
  readonly #isUsedOnce: (scan: CteScan) => boolean;
  /** What conditions above a scan ask of its rows. */
  readonly #above = new WeakMap<ResolvedScan, Facts>();

  constructor(layouts: KnownData['layouts'], isUsedOnce: (scan: CteScan) => boolean) {
    this.#layouts = layouts;
    this.#isUsedOnce = isUsedOnce;
  }

  rewrite(scan: ResolvedScan): ResolvedScan {
    const table = isPlain(scan) && scan.kind !== 'table' ? tableOf(scan) : null;
    const records = table === null ? null : flatRecords(this.#layouts, table.table);
    if (records === null) return scan;
    const above = this.#above.get(scan) ?? NO_FACTS;
    switch (scan.kind) {
      case 'filter':
        return this.#rewriteFilter(scan, records, above);
      case 'project': {
        const simplifier = simplifierFor(scan.input, records);
        const keepsErrors = scan.computed.every(({ expression }) => neverRaises(expression));
        if (keepsErrors) this.#above.set(scan.input, above);
        return mapParts(
          scan,
          (same) => same,
          (expression) => simplifier.expression(expression),
        );
      }
      case 'order':
        this.#above.set(scan.input, above);
        return scan;
      case 'cte':
        if (this.#isUsedOnce(scan)) this.#above.set(scan.cte.scan, above);
        return scan;
      default:
        return scan;
    }
  }

  #rewriteFilter(scan: FilterScan, records: TableRecords, above: Facts): ResolvedScan {
    const { input } = scan;
    if (input.kind === 'filter') {
      const merged: FilterScan = { ...input, condition: allOf([input.condition, scan.condition]) };
      return this.#rewriteFilter(merged, records, above);
    }
    const simplifier = simplifierFor(input, records);
    const condition = simplifier.condition(scan.condition, above);
    this.#above.set(input, simplifier.factsWhere(condition, above));
    return isLiteral(condition, true) ? this.rewrite(input) : changed(scan, { condition });
  }
}

function simplifierFor(input: ResolvedScan, records: TableRecords): Simplifier {
  return new Simplifier(records, (id) => tableColumn(input, id, () => true));
}

/** The table that plain rows are of; null for other rows. */
function tableOf(scan: ResolvedScan): TableScan | null {
  if (scan.kind === 'table') return scan;
  if (!isPlain(scan)) return null;
  return tableOf(scan.kind === 'cte' ? scan.cte.scan : scan.input);
}

/** Simplifies conditions over the rows of one table. */
class Simplifier {
  readonly #records: TableRecords;
  readonly #tableColumn: (id: number) => ResolvedColumn | null;

  constructor(records: TableRecords, column: (id: number) => ResolvedColumn | null) {
    this.#records = records;
    this.#tableColumn = column;
  }

  /** A condition that holds where the other one does; it may be NULL where that is FALSE, and the other way round. */
  condition(condition: ResolvedExpression, known: Facts = NO_FACTS): ResolvedExpression {
    const conditions = conjuncts(condition);
    const facts = conditions.map((one) => this.#facts(one));
    const kept = conditions.filter((one, index) => {
      if (this.#isImplied(one, known, true)) return false;
      return !facts.some((others, other) => other !== index && this.#isImplied(one, others, false));
    });
    const simple = kept.map((one) => this.expression(one));
    const isSame = kept.length === conditions.length && simple.every((one, index) => one === kept[index]);
    return isSame ? condition : allOf(simple);
  }

  /** What holds for the rows for which a condition does, besides what is known. */
  factsWhere(condition: ResolvedExpression, known: Facts): Facts {
    const all = [known, ...conjuncts(condition).map((one) => this.#facts(one))];
    return {
      fields: all.flatMap(({ fields }) => fields),
      records: all.flatMap(({ records }) => records),
    };
  }

  /** The same expression with simpler conditions in it. */
  expression(expression: ResolvedExpression): ResolvedExpression {
    return mapExpression(expression, (part) => {
      const simple = this.#withSimpleConditions(part);
      return simple === part ? null : this.expression(simple);
    });
  }

  #withSimpleConditions(part: ResolvedExpression): ResolvedExpression {
    if (part.kind === 'case') {
      const branches = part.branches.map((branch) => changed(branch, { when: this.condition(branch.when) }));
      const isSame = branches.every((branch, index) => branch === part.branches[index]);
      return isSame ? part : { ...part, branches };
    }
    if (part.kind !== 'call' || part.name !== 'IFNULL') return part;
    const [condition, otherwise] = part.arguments;
    if (condition === undefined || otherwise === undefined || !isLiteral(otherwise, false)) return part;
    const simple = this.condition(condition);
    return simple === condition ? part : { ...part, arguments: [simple, otherwise] };
  }

  /**
   * Whether a condition about a record's presence holds where the facts do. Of two conditions that ask for the same record,
   * one has to stay: `isOther` says that the facts are of conditions elsewhere.
   */
  #isImplied(condition: ResolvedExpression, { fields, records }: Facts, isOther: boolean): boolean {
    const asked = this.#presence(condition);
    const { repeated } = this.#records;
    if (asked === null && (repeated === null || !this.#isNotRepeated(condition))) return false;
    const record = asked ?? repeated ?? '';
    const isSame = (other: string) => other === record && (isOther || asked === null);
    return (
      fields.some((field) => isPartOf(field, record)) ||
      records.some((one) => isSame(one) || isPartOf(one, record))
    );
  }

  #facts(condition: ResolvedExpression): Facts {
    const record = this.#presence(condition);
    return record === null
      ? { fields: this.#fieldsWhere(condition), records: [] }
      : { fields: [], records: [record] };
  }

  /** The fields that are not NULL where a condition holds. */
  #fieldsWhere(condition: ResolvedExpression): readonly string[] {
    return [...knownWhere(condition)].flatMap((id) => {
      const column = this.#tableColumn(id);
      // An array may be empty, and is not NULL, where there is no record; a presence is never NULL.
      const isField = column !== null && column.type.kind !== 'ARRAY' && !this.#isPresence(column.name);
      return isField ? [column.name] : [];
    });
  }

  /** The record that a condition asks for; null for any other condition. */
  #presence(condition: ResolvedExpression): string | null {
    const name = condition.kind === 'column' ? this.#tableColumn(condition.column.id)?.name : undefined;
    return name !== undefined && this.#isPresence(name) ? name.slice(0, -1) : null;
  }

  #isPresence(name: string): boolean {
    const record = name.slice(0, -1);
    return name === presenceColumn([record]) && this.#records.flat.has(record);
  }

  #isNotRepeated(condition: ResolvedExpression): boolean {
    if (condition.kind !== 'call' || condition.name !== '$NOT') return false;
    const [flag] = condition.arguments;
    return flag?.kind === 'column' && this.#tableColumn(flag.column.id)?.name === REPEATED_COLUMN;
  }
}
