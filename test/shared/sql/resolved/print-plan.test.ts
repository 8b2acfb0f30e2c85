import { describe, expect, test } from '@jest/globals';
import { analyze, analyzeSources } from '../../../../shared/sql/analyzer/analyze.ts';
import { parseStatement } from '../../../../shared/sql/parser/parse-query.ts';
import type { ResolvedScan } from '../../../../shared/sql/resolved/scan.ts';
import type { SqlType } from '../../../../shared/sql/types/sql-type.ts';
import { TABLES } from '../analyzer/support/analyze-query.ts';
import { PlanNames } from './support/plan-names.ts';
import { printPlan } from './support/print-plan.ts';

const PARAMETERS: ReadonlyMap<string, SqlType> = new Map([
  ['project', { kind: 'STRING' }],
  ['<now>', { kind: 'TIMESTAMP' }],
]);
const CATALOG = { dataset: 'logs', tables: TABLES, parameters: PARAMETERS };

/** The plan of a query, with ids that begin after `lastId`. */
function planOf(sql: string, lastId = 0): ResolvedScan {
  const { ctes } = analyzeSources(parseStatement('select 1'), 'select 1', CATALOG);
  return analyze(parseStatement(sql), sql, CATALOG, { ctes, lastId }).query.scan;
}

/** The text of the one column of a SELECT without FROM. */
function expressionText(expression: string): string {
  return (
    /^Project\n\| v#1 := (.*)\n {2}SingleRow$/s.exec(printPlan(planOf(`select ${expression} as v`)))?.[1] ??
    ''
  );
}

describe('printPlan', () => {
  test('shows scans with their inputs below, each CTE once and columns numbered as they appear', () => {
    const sql = `with paths as (
        select t.id, r.path from logs.edge_logs as t left join unnest(t.metadata) as m
        cross join unnest(m.request) as r with offset as position where r.method = @project and position > 0
      )
      select a.path, count(distinct b.id) as n from paths as a join paths as b on a.id = b.id
      group by a.path order by n desc limit 5 offset 2`;
    expect(printPlan(planOf(sql))).toBe(`Limit
| 5 OFFSET 2
  Order
  | $aggregate#1 DESC
    Aggregate
    | BY path#2 := path#3
    | $aggregate#1 := COUNT(DISTINCT id#4)
      Join INNER
      | ON (id#5 = id#4)
        Cte paths: id#5, path#3
        Cte paths: id#4, path#6
With paths: id#7, path#8
  Project
  | path#8 := r#9.path
    Filter
    | (r#9.method = @project)
    | AND (position#10 > 0)
      Unnest
      | r#9 := m#11.request WITH OFFSET position#10
        OuterUnnest
        | m#11 := metadata#12
          Table edge_logs: id#7, timestamp#13, event_message#14, metadata#12`);
  });

  test('shows subqueries under the scan that has them', () => {
    const sql = `select exists(select 1 from unnest(t.metadata) as m where m.level = 'a') as e from logs.auth_logs as t`;
    expect(printPlan(planOf(sql))).toBe(`Project
| e#1 := EXISTS(subquery 1)
| subquery 1:
|   Project
|   | #2 := 1
|     Filter
|     | (m#3.level = "a")
|       Unnest
|       | m#3 := metadata#4
|         SingleRow
  Table auth_logs: id#5, timestamp#6, event_message#7, metadata#4`);
  });

  test('shows windows, grouping sets and set operations', () => {
    const sql = `select x, sum(n) over (partition by x order by n desc nulls first rows between 1 preceding and unbounded following) as w
      from (select x, count(*) as n from unnest([1, 2]) as x group by rollup (x)) union all select 1, 2`;
    expect(printPlan(planOf(sql))).toBe(`UNION ALL
| x#1 := x#2, #3
| w#4 := $window#5, #6
  Window
  | $window#5 := SUM($aggregate#7) OVER (PARTITION BY x#2 ORDER BY $aggregate#7 DESC NULLS FIRST ROWS BETWEEN 1 PRECEDING AND UNBOUNDED FOLLOWING)
    Aggregate
    | BY x#2 := x#8
    | SETS (1), ()
    | $aggregate#7 := $COUNT_STAR()
      Unnest
      | x#8 := [1, 2]
        SingleRow
  Project
  | #3 := 1
  | #6 := 2
    Project
    | #9 := 1
    | #10 := 2
      SingleRow`);
  });

  test.each([
    [`'it\\'s "x"\\n'`, '"it\'s \\"x\\"\\n"'],
    ['-1.0', '-1.0'],
    [`cast('nan' as float64)`, 'CAST("nan" AS FLOAT64)'],
    [`timestamp '2026-01-02 03:04:05.000006'`, `TIMESTAMP '2026-01-02 03:04:05.000006+00:00'`],
    [`date '0001-01-01'`, `DATE '0001-01-01'`],
    [`time '12:30:00'`, `TIME '12:30:00.000000'`],
    [`datetime '2026-01-02'`, `DATETIME '2026-01-02 00:00:00.000000'`],
    [`numeric '1.50'`, 'NUMERIC "1.5"'],
    ['not (1 < 2 or true)', '(NOT ((1 < 2) OR TRUE))'],
    [`safe.timestamp_trunc(@\`<now>\`, week(monday))`, 'SAFE.TIMESTAMP_TRUNC(@`<now>`, WEEK(MONDAY))'],
    [`[struct(1 as a, 'b')][offset(0)].a`, '$AT_OFFSET([STRUCT(1 AS a, "b")], 0).a'],
    ['safe_cast(@project as int64)', 'SAFE_CAST(@project AS INT64)'],
    [`array<string>[]`, 'ARRAY<STRING>[]'],
    [`case when true then 1 end`, 'CASE WHEN TRUE THEN 1 ELSE CAST(NULL AS INT64) END'],
  ])('shows the expression %s as %s', (expression, text) => {
    expect(expressionText(expression)).toBe(text);
  });

  test("distinguishes a parameter of the service from a caller's", () => {
    const name = Symbol('now');
    const limit = { kind: 'parameter', type: { kind: 'TIMESTAMP' }, name } as const;
    const plan: ResolvedScan = { kind: 'limit', input: { kind: 'single-row' }, limit, offset: null };
    expect(printPlan(plan)).toBe('Limit\n| @<now>\n  SingleRow');
    expect(printPlan({ ...plan, limit: { ...limit, name: '<now>' } })).toContain('@`<now>`');
  });

  test('does not depend on the ids of columns', () => {
    const sql = 'with a as (select id, timestamp from logs.edge_logs) select * from a order by timestamp';
    expect(printPlan(planOf(sql, 1000))).toBe(printPlan(planOf(sql)));
  });

  test('gives two plans the same numbers for the same columns', () => {
    const plan = planOf('select id, timestamp from logs.edge_logs order by timestamp');
    const names = new PlanNames();
    expect(printPlan(plan, names)).toBe(
      'Order\n| timestamp#1\n  Table edge_logs: id#2, timestamp#1, event_message#3, metadata#4',
    );
    const input = plan.kind === 'order' ? plan.input : plan;
    expect(printPlan(input, names)).toBe('Table edge_logs: id#2, timestamp#1, event_message#3, metadata#4');
  });

  test('distinguishes CTEs of one name', () => {
    const sql = 'with a as (select 1 as x) select * from a, (with a as (select 2 as y) select * from a)';
    expect(printPlan(planOf(sql))).toMatch(
      /Cte a: x#1\n[\s\S]*Cte a \(2\): y#2\nWith a: x#3\n[\s\S]*With a \(2\): y#4/,
    );
  });
});
