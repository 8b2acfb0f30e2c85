import { expect, test } from '@jest/globals';
import { formatSql } from '../../../shared/query-edit/format-sql.ts';
import { parseStatement } from '../../../shared/sql/parser/parse-query.ts';
import { printQuery } from '../../../shared/sql/print/print-query.ts';

const ROWS: readonly (readonly [string, string, string])[] = [
  [
    'clauses, joins and conditions',
    'select id, event_message from edge_logs as t cross join unnest(metadata) as m left join unnest(m.request) as r on true where a between 1 and 2 and b = "x" or c order by 1 limit 3',
    `SELECT id, event_message
FROM edge_logs AS t
CROSS JOIN UNNEST(metadata) AS m
LEFT JOIN UNNEST(m.request) AS r ON TRUE
WHERE a BETWEEN 1 AND 2
  AND b = "x"
  OR c
ORDER BY 1
LIMIT 3`,
  ],
  [
    'long lists, comments and case',
    'select timestamp_trunc(timestamp, minute) as minute, -- when\n countif(s.status_code < 400) as good, countif(s.status_code >= 500) as failed from edge_logs group by minute',
    `SELECT
  timestamp_trunc(timestamp, minute) AS minute, -- when
  countif(s.status_code < 400) AS good,
  countif(s.status_code >= 500) AS failed
FROM edge_logs
GROUP BY minute`,
  ],
  [
    'subqueries and WITH',
    'with a as (select 1 as x) select x from (select x from a where x in (1, 2)) union all select 2',
    `WITH a AS (
  SELECT 1 AS x
)
SELECT x
FROM (
  SELECT x
  FROM a
  WHERE x IN (1, 2)
)
UNION ALL
SELECT 2`,
  ],
  ['pipes', 'from t |> where x = 1 |> select a, b', 'FROM t\n|> WHERE x = 1\n|> SELECT a, b'],
];

test.each(ROWS)('a query is laid out: %s', (_, text, expected) => {
  expect(formatSql(text)).toBe(expected);
  expect(formatSql(expected)).toBe(expected);
});

test.each([
  "select 'a -- b' as `c # d`, /* e */ r'\\x' # end",
  'select if(a, 1, 2), array<int64>[1], struct(1 as x).x, @p, a.select, b[offset(0)] from `x-y` as `from`',
  'select * except (a) replace (1 as b) from t qualify row_number() over (partition by a order by b) = 1',
  'select case when a and b then 1 else 2 end from t where case when a and b or c then true end',
  '((select 1))',
])('and says the same as before: %s', (text) => {
  expect(printQuery(parseStatement(formatSql(text)))).toBe(printQuery(parseStatement(text)));
});
