import type { ResolvedScan, SetOperationScan, WorkingTableScan } from '../../../sql/resolved/scan.ts';
import { BOOL } from '../../../sql/types/sql-type.ts';
import { column, duck, joined, type Sql, word } from './duck/sql.ts';
import { duckType } from './functions/duck-type.ts';
import { raiseText } from './functions/fragments.ts';
import { type Relation, SINGLE_ROW, selectListText, withoutOrder } from './relation.ts';
import { type Scope, TOP_LEVEL } from './scope.ts';

/** Most steps of a recursion, as in BigQuery. https://cloud.google.com/bigquery/docs/recursive-ctes */
const MAX_STEPS = 500;
/** Most rows of a recursion, all steps together. */
const MAX_ROWS = 1_000_000;

const TOO_DEEP = `A recursive CTE has reached the maximum number of iterations: ${MAX_STEPS}`;
const TOO_MANY = `A recursive CTE has more than ${MAX_ROWS} rows; let its recursive term add fewer`;

/** What a recursion needs of the generator. */
interface Host {
  alias(): Sql;
  scan(scan: ResolvedScan, needed: ReadonlySet<number>, scope: Scope): Relation;
  /** Adds a recursive CTE, `name(columns) … AS (query)`. */
  recursiveCte(definition: Sql): void;
}

/**
 * A recursive CTE of DuckDB. Each row carries the step that added it and the number of rows before that step, which bound the
 * recursion: both are the same for all rows of the working table.
 */
export function generateRecursion(generator: Host, scan: SetOperationScan, recursion: number): Relation {
  const name = tableName(recursion);
  const names = scan.columns.map((_, index) => word(`r${index}`));
  const [base, term] = scan.inputs.map((input) => inputText(generator, scan, input, names));
  const list = joined(names, ', ');
  const distinct = word(scan.distinct ? 'DISTINCT ' : '');
  const first = duck`SELECT ${distinct}${list}, 0::BIGINT, 0::BIGINT FROM (${base}) AS b`;
  const last = duck`(SELECT any_value(step) AS step, any_value(before) AS before, count(*) AS added FROM ${name}) AS s`;
  const rows = duck`SELECT ${list}, row_number() OVER () AS number FROM (SELECT ${distinct}${list} FROM (${term}) AS t) AS t`;
  const isNew = scan.distinct
    ? duck` ANTI JOIN recurring.${name} AS k ON ${joined(names.map(sameIn), ' AND ')}`
    : word('');
  const bounds = duck`CASE WHEN s.step >= ${MAX_STEPS} THEN ${raiseText(TOO_DEEP, BOOL)} WHEN s.before + s.added + t.number > ${MAX_ROWS} THEN ${raiseText(TOO_MANY, BOOL)} ELSE TRUE END`;
  const added = scan.distinct ? duck`(SELECT t.* FROM (${rows}) AS t${isNew}) AS t` : duck`(${rows}) AS t`;
  const next = duck`SELECT ${list}, s.step + 1, s.before + s.added FROM ${added} CROSS JOIN ${last} WHERE ${bounds}`;
  const key = scan.distinct ? duck` USING KEY (${list})` : word('');
  generator.recursiveCte(duck`${name}(${list}, step, before)${key} AS (${first} UNION ALL ${next})`);
  return reading(generator, name, scan.columns);
}

/** The rows that the last step added. */
export function generateWorkingTable(generator: Host, scan: WorkingTableScan): Relation {
  return reading(generator, tableName(scan.recursion), scan.columns);
}

function tableName(recursion: number): Sql {
  return word(`w${recursion}`);
}

function reading(generator: Host, name: Sql, columns: SetOperationScan['columns']): Relation {
  const alias = generator.alias();
  return {
    ...SINGLE_ROW,
    from: duck`${name} AS ${alias}`,
    columns: new Map(
      columns.map(({ id }, index) => [id, { sql: column(alias, word(`r${index}`)), isSimple: true }]),
    ),
  };
}

/** A term with columns of the same names and types. */
function inputText(
  generator: Host,
  scan: SetOperationScan,
  input: SetOperationScan['inputs'][number],
  names: readonly Sql[],
): Sql {
  const relation = generator.scan(input.scan, new Set(input.columns.map(({ id }) => id)), TOP_LEVEL);
  const list = input.columns.map(({ id, type }, index) => {
    return duck`CAST(${relation.columns.get(id)?.sql} AS ${duckType(scan.columns[index]?.type ?? type)}) AS ${names[index]}`;
  });
  return selectListText(withoutOrder(relation), joined(list, ', '));
}

const sameIn = (name: Sql): Sql => duck`k.${name} IS NOT DISTINCT FROM t.${name}`;
