/** The words of GoogleSQL that a query over logs is written with. */
export const SQL_KEYWORDS =
  `all and any array as asc at between by case cast collate contains cross cube current date
  datetime desc distinct else end escape except exclude exists extract false fetch following for from full group
  grouping groups having if ignore in inner intersect interval into is join lateral left like limit lookup natural
  not null nulls of offset on or order ordinal outer over partition pivot preceding qualify range recursive respect
  right rollup rows safe_cast safe_offset safe_ordinal select set some struct tablesample then time timestamp to true
  unbounded union unnest unpivot using value when where window with within`.split(/\s+/);

export const SQL_TYPES =
  'bignumeric bool bytes date datetime float64 int64 interval json numeric string time timestamp'.split(' ');

/** What is worth proposing; the rest is only coloured. */
export const PROPOSED_KEYWORDS = [
  ...[
    'SELECT',
    'FROM',
    'WHERE',
    'GROUP BY',
    'ORDER BY',
    'HAVING',
    'QUALIFY',
    'LIMIT',
    'OFFSET',
    'WITH',
    'AS',
  ],
  ...[
    'CROSS JOIN UNNEST',
    'LEFT JOIN UNNEST',
    'INNER JOIN',
    'LEFT JOIN',
    'JOIN',
    'ON',
    'USING',
    'UNION ALL',
    'DISTINCT',
  ],
  ...['AND', 'OR', 'NOT', 'IN', 'IN UNNEST', 'IS NULL', 'IS NOT NULL', 'LIKE', 'BETWEEN', 'EXISTS'],
  ...[
    'CASE',
    'WHEN',
    'THEN',
    'ELSE',
    'END',
    'CAST',
    'SAFE_CAST',
    'EXTRACT',
    'INTERVAL',
    'DESC',
    'ASC',
    'NULLS LAST',
  ],
  ...['TRUE', 'FALSE', 'NULL', 'OVER', 'PARTITION BY', 'ARRAY', 'STRUCT'],
];
