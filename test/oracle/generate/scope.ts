import { type SqlType, sameType } from '../../../shared/sql/types/sql-type.ts';
import type { Random } from '../../fuzz/generate/random.ts';

/** A column that an expression may name. */
export interface ScopeColumn {
  readonly name: string;
  readonly type: SqlType;
}

/** What an expression may be made of. */
export interface Scope {
  readonly columns: readonly ScopeColumn[];
  readonly random: Random;
  /** Levels of calls that may still be nested. */
  readonly depth: number;
}

/** The columns of a type. */
export function columnsOf(scope: Scope, type: SqlType): readonly ScopeColumn[] {
  return scope.columns.filter((column) => sameType(column.type, type));
}

/** The scope of arguments. */
export function inner(scope: Scope): Scope {
  return { ...scope, depth: scope.depth - 1 };
}
