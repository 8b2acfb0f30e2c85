import { type AttackRow, Q } from './attack.ts';

const raw = String.raw;

export const QUOTED_NAMES: readonly AttackRow[] = [
  ['a path in one pair of backquotes', `select * from ${Q}secret.t${Q}`, 'refused'],
  ['a project, dataset and table in one pair', `select * from ${Q}acme-prod.secret.t${Q}`, 'refused'],
  ['a dot by a hex escape', raw`select * from ${Q}secret\x2et${Q}`, 'refused'],
  ['a dot by a Unicode escape', raw`select * from ${Q}secret\u002Et${Q}`, 'refused'],
  ['a dot by a long Unicode escape', raw`select * from ${Q}secret\U0000002et${Q}`, 'refused'],
  ['a dot by an octal escape', raw`select * from ${Q}secret\056t${Q}`, 'refused'],
  ['a backquote by an escape', raw`select * from ${Q}edge_logs\${Q}${Q}`, 'refused'],
  ['a source by escapes', raw`select id from ${Q}\x65dge_logs${Q}`, ['edge_logs']],
  ['a source in backquotes and capitals', `select id from ${Q}EDGE_LOGS${Q}`, ['edge_logs']],
  ['a comment in backquotes', `select * from ${Q}edge_logs -- ${Q}`, 'refused'],
  ['a wildcard in backquotes', `select * from ${Q}edge_*${Q}`, 'refused'],
  ['a partition decorator', `select * from ${Q}edge_logs$20260101${Q}`, 'refused'],
  ['a colon of legacy SQL', `select * from ${Q}acme:secret.t${Q}`, 'refused'],
  ['an empty name', `select * from ${Q}${Q}`, 'refused'],
  ['a blank for a name', `select * from ${Q} ${Q}`, 'refused'],
  ['a name over two lines', `select * from ${Q}edge\n_logs${Q}`, 'refused'],
  ['a NUL after the name', raw`select * from ${Q}edge_logs\0${Q}`, 'refused'],
  ['a slash', `select * from ${Q}secret/t${Q}`, 'refused'],
  ['a quote', `select * from ${Q}edge_logs'${Q}`, 'refused'],
  ['a keyword as a quoted name', `select id as ${Q}from${Q} from edge_logs`, ['edge_logs']],
  ['backquotes that do not close', `select * from ${Q}edge_logs`, 'refused'],
  ['half a path quoted', `select * from ${Q}secret${Q}.t`, 'refused'],
  ['a quoted function with a dot', `select ${Q}secret.f${Q}(1) from edge_logs`, 'refused'],
];

export const HOMOGLYPHS: readonly AttackRow[] = [
  ['a Cyrillic e', `select * from ${Q}\u0435dge_logs${Q}`, 'refused'],
  ['a Greek omicron', `select * from ${Q}edge_l\u03bfgs${Q}`, 'refused'],
  ['full-width letters', `select * from ${Q}\uff45dge_logs${Q}`, 'refused'],
  ['a dotless i', `select * from ${Q}real\u0131ime_logs${Q}`, 'refused'],
  ['the Kelvin sign, which folds to k', `with k as (select 1 as x) select * from ${Q}\u212a${Q}`, 'refused'],
  ['a long s, which folds to s', `select * from ${Q}edge_log\u017f${Q}`, 'refused'],
  ['a combining mark', `select * from ${Q}edge_logs\u0301${Q}`, 'refused'],
  ['a zero-width joiner', `select * from ${Q}edge_logs\u200d${Q}`, 'refused'],
  ['a Cyrillic letter without quotes', 'select * from \u0435dge_logs', 'refused'],
  [
    'a CTE with a look-alike name',
    `with ${Q}\u0435dge_logs${Q} as (select 1 as x) select * from ${Q}\u0435dge_logs${Q}`,
    'refused',
  ],
  ['a full-width full stop', 'select * from secret\uff0et', 'refused'],
  ['a full-width asterisk', 'select \uff0a from edge_logs', 'refused'],
  ['a Greek question mark for a semicolon', 'select id from edge_logs\u037e', 'refused'],
];

export const WAREHOUSE_NAMES: readonly AttackRow[] = [
  ['the table behind a source', 'select * from logs.edge_logs', 'refused'],
  ['the table behind a source, in capitals', 'select * from LOGS.EDGE_LOGS', 'refused'],
  ['the table behind a source, each part quoted', `select * from ${Q}logs${Q}.${Q}edge_logs${Q}`, 'refused'],
  [
    'a join with the table behind a source',
    'select 1 from edge_logs join logs.edge_logs as t using (id)',
    'refused',
  ],
  ['a project with dashes', 'select * from acme-prod-1.secret.t', 'refused'],
  ['a dashed project that ends in digits and a dot', 'select * from acme-1.secret.t', 'refused'],
  ['four parts', 'select * from acme.secret.t.x', 'refused'],
  [
    'the dataset as an alias and a path from it',
    'select 1 from edge_logs as logs, logs.edge_logs',
    'refused',
  ],
  [
    'the dataset as an alias and a true path',
    'select 1 as x from edge_logs as logs, logs.metadata',
    ['edge_logs'],
  ],
  ['the dataset as a CTE', 'with logs as (select 1 as x) select * from logs.edge_logs', 'refused'],
  ['a CTE read by a path', 'with logs as (select [1] as edge_logs) select * from logs.edge_logs', 'refused'],
  ['INFORMATION_SCHEMA', 'select * from INFORMATION_SCHEMA.TABLES', 'refused'],
  [
    'INFORMATION_SCHEMA in parts of quotes',
    `select * from logs.${Q}INFORMATION_SCHEMA${Q}.COLUMNS`,
    'refused',
  ],
  ['the jobs of a region', `select * from ${Q}region-eu${Q}.INFORMATION_SCHEMA.JOBS_BY_PROJECT`, 'refused'],
  [
    'an alias called INFORMATION_SCHEMA',
    'select 1 from edge_logs as INFORMATION_SCHEMA, INFORMATION_SCHEMA.TABLES',
    'refused',
  ],
  ['the list of tables', 'select * from logs.__TABLES__', 'refused'],
  ['the summary of tables', 'select * from logs.__TABLES_SUMMARY__', 'refused'],
  ['partitions of a table', 'select * from logs.edge_logs$__PARTITIONS_SUMMARY__', 'refused'],
  ['a wildcard', 'select * from logs.edge_*', 'refused'],
  ['a temporary table of the session', 'select * from _SESSION.t', 'refused'],
  ['the file a row comes from', 'select _FILE_NAME from edge_logs', 'refused'],
  ['the partition a row lies in', 'select _PARTITIONDATE from edge_logs', 'refused'],
  ['a column that the source hides', 'select project from edge_logs', 'refused'],
  ['a column that the source hides, by its alias', 'select t.project from edge_logs t', 'refused'],
  ['the alias of the stored query', 'select t.id from edge_logs', 'refused'],
];

export const TIME_TRAVEL: readonly AttackRow[] = [
  [
    'the past of a source',
    'select * from edge_logs for system_time as of timestamp_sub(current_timestamp(), interval 1 hour)',
    'refused',
  ],
  [
    'the past after an alias',
    'select * from edge_logs e for system_time as of current_timestamp()',
    'refused',
  ],
  [
    'FOR SYSTEM TIME in words',
    'select * from edge_logs for system time as of current_timestamp()',
    'refused',
  ],
  ['an alias called for', `select 1 as x from edge_logs as ${Q}for${Q}`, ['edge_logs']],
  ['a snapshot decorator', `select * from ${Q}edge_logs@-3600000${Q}`, 'refused'],
  ['a version', 'select * from edge_logs version as of 1', 'refused'],
];
