import type { Rows } from './refusal-rows.ts';

export const TABLES: Rows = [
  ['a table by its dataset', 'select * from logs.edge_logs', 'Table not found: logs.edge_logs'],
  [
    'a table by project and dataset',
    'select * from acme.logs.edge_logs',
    'Table not found: acme.logs.edge_logs',
  ],
  ['a table in another dataset', 'select * from secret.t', 'Table not found: secret.t'],
  ['a table by its bare name', 'select * from t', 'Table not found: t'],
  ['a project with a dash', 'select * from my-project.secret.t', 'Syntax error'],
  ['a quoted table beside a source', 'select * from edge_logs, `secret`.`t`', 'Table not found: secret.t'],
  ['a name that starts like a source', 'select * from edge_logs_2', 'Table not found: edge_logs_2'],
  ['a source as a dataset', 'select * from edge_logs.t', 'Table not found: edge_logs.t'],
  ['the engine’s own schema', 'select * from logs.main.edge_logs', 'Table not found'],
  ['the engine’s catalogue', 'select * from duckdb_tables', 'Table not found'],
  ['the engine’s catalogue by schema', 'select * from main.sqlite_master', 'Table not found'],
  ['a file', "select * from '/etc/passwd'", 'Syntax error'],
  ['a file as a quoted name', 'select * from `/etc/passwd`', 'Table not found'],
  ['a CSV file as a quoted name', 'select * from `data.csv`', 'A dot in backquotes is not allowed'],
];

export const DOTS: Rows = [
  ['a whole path in backquotes', 'select * from `secret.t`', 'A dot in backquotes is not allowed'],
  ['half a path in backquotes', 'select * from `acme.secret`.t', 'A dot in backquotes is not allowed'],
  [
    'a dot by its escape',
    String.raw`select * from ${'`'}secret\x2et${'`'}`,
    'A dot in backquotes is not allowed',
  ],
  ['a dot by its Unicode escape', String.raw`select * from ${'`'}secret\u002et${'`'}`, 'A dot in backquotes'],
  ['a dot by its octal escape', String.raw`select * from ${'`'}secret\056t${'`'}`, 'A dot in backquotes'],
  ['a dot in an alias', 'select 1 as `a.b`', 'A dot in backquotes is not allowed'],
  ['a dot in a parameter', 'select @`a.b`', 'A dot in backquotes is not allowed'],
  ['NUL in a name', String.raw`select * from ${'`'}edge_logs\x00${'`'}`, 'U+0000 is not allowed'],
  ['a blank behind a source’s name', 'select * from `edge_logs `', 'Table not found'],
  ['a line end in a name', String.raw`select * from ${'`'}edge_logs\n${'`'}`, 'ASCII characters only'],
];

export const NAMES_OF_THE_WAREHOUSE: Rows = [
  ['INFORMATION_SCHEMA', 'select * from INFORMATION_SCHEMA.TABLES', 'Table not found'],
  ['a dataset’s INFORMATION_SCHEMA', 'select * from secret.INFORMATION_SCHEMA.COLUMNS', 'Table not found'],
  [
    'INFORMATION_SCHEMA of a source',
    'select * from edge_logs.INFORMATION_SCHEMA',
    'Table not found: edge_logs.INFORMATION_SCHEMA',
  ],
  ['a region’s INFORMATION_SCHEMA', 'select * from `region-us`.INFORMATION_SCHEMA.JOBS', 'Table not found'],
  ['the old list of tables', 'select * from secret.__TABLES__', 'Table not found'],
  ['a wildcard table', 'select * from `edge_*`', 'Table not found'],
  ['a wildcard without backquotes', 'select * from edge_logs*', 'Syntax error'],
  ['the suffix of a wildcard', 'select _TABLE_SUFFIX from edge_logs', 'Unrecognized name'],
  ['a partition by decorator', 'select * from `edge_logs$20260101`', 'Table not found'],
  ['a snapshot by decorator', 'select * from `edge_logs@1767225600000`', 'Table not found'],
  ['the partition of a table', 'select _PARTITIONTIME from edge_logs', 'Unrecognized name'],
  ['a legacy name', 'select * from [acme:secret.t]', 'Syntax error'],
  ['the dataset’s name', 'select * from acme_warehouse.edge_logs', 'acme_warehouse cannot be used'],
  ['the dataset’s name in capitals', 'select * from ACME_Warehouse.edge_logs', 'cannot be used'],
  ['the dataset’s name as an alias', 'select 1 as acme_warehouse', 'cannot be used'],
  ['the project’s name in backquotes', 'select * from `acme-logs`.a.b', 'acme-logs cannot be used'],
  [
    'the dataset’s name by an escape',
    String.raw`select 1 as ${'`'}acme\x5fwarehouse${'`'}`,
    'cannot be used',
  ],
];

export const TIME_TRAVEL: Rows = [
  [
    'the past of a source',
    'select * from edge_logs for system_time as of current_timestamp()',
    'FOR SYSTEM_TIME AS OF is not allowed',
  ],
  ['the past of a table', 'select * from secret.t for system_time as of current_timestamp()', 'not allowed'],
  ['the past in a version', 'select * from edge_logs for version as of 1', 'not allowed'],
  ['a sample', 'select * from edge_logs tablesample system (10 percent)', 'TABLESAMPLE is not allowed'],
];

export const PATHS: Rows = [
  [
    'a source that is renamed',
    'select 1 from edge_logs as e, edge_logs.metadata',
    'Table not found: edge_logs.metadata',
  ],
  [
    'a source before it is read',
    'select 1 from edge_logs.metadata, edge_logs',
    'Table not found: edge_logs.metadata',
  ],
  ['a source that is not read', 'select edge_logs.id from auth_logs', 'Unrecognized name: edge_logs'],
  [
    'an alias of another query',
    'select 1 from (select 1 from edge_logs e), e.metadata',
    'Table not found: e.metadata',
  ],
  [
    'an alias beside a subquery',
    'select 1 from edge_logs e, (select 1 from e.metadata)',
    'Table not found: e.metadata',
  ],
  [
    'an alias in a CTE',
    'select (with a as (select 1 from e.metadata) select 1) from edge_logs e',
    'Table not found',
  ],
  ['an alias as a table', 'select 1 from edge_logs e, e', 'Table not found: e'],
  [
    'a column as the start of a path',
    'select 1 from edge_logs, metadata.request',
    'Table not found: metadata.request',
  ],
  [
    'a field as the start of a path',
    'select 1 from edge_logs, unnest(metadata) m, request.headers',
    'Table not found: request.headers',
  ],
  ['an alias of the select list', 'select [1] as a from edge_logs, a.b', 'Table not found: a.b'],
  ['a column that is not there', 'select e.secret from edge_logs e', 'Name secret not found'],
  ['a column that the source leaves out', 'select project from edge_logs', 'Unrecognized name: project'],
  ['such a column by the source’s name', 'select edge_logs.project from edge_logs', 'Name project not found'],
  ['two columns of one name', 'select 1 as a, 2 as A', 'Duplicate column names'],
];
