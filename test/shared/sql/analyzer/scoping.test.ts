import { describe, expect, test } from '@jest/globals';
import { columnsOf, refusalOf } from './support/analyze-query.ts';

describe('a name in a query', () => {
  test.each<[string, string, string]>([
    [
      'means a range variable before a column',
      'select m.level from auth_logs, unnest(metadata) as m',
      'level STRING',
    ],
    [
      'may shadow the column that it is made of',
      'select metadata.level from auth_logs, unnest(metadata) as metadata',
      'level STRING',
    ],
    [
      'still reaches the shadowed column through its table',
      'select t.metadata[0].level from auth_logs t, unnest(t.metadata) as metadata',
      'level STRING',
    ],
    [
      'means a nested field by itself',
      'select method from edge_logs, unnest(metadata), unnest(request)',
      'method STRING',
    ],
    [
      'goes down unnamed records step by step',
      'select country from edge_logs, unnest(metadata), unnest(request), unnest(cf)',
      'country STRING',
    ],
    [
      'is compared without regard to case',
      'select ID, M.LEVEL from Auth_Logs, unnest(MetaData) m',
      'ID STRING, LEVEL STRING',
    ],
    [
      'that is a table alias by itself is the whole row',
      'select m from auth_logs, unnest(metadata) m',
      'm STRUCT<level STRING, path STRING>',
    ],
    ['that is both alias and column is the row', 'select id.id from auth_logs as id', 'id STRING'],
    ['of an element is the element', 'select x + 1 as y from unnest([1, 2]) as x', 'y INT64'],
    [
      'of an offset is a number',
      'select x, pos from unnest(["a"]) x with offset as pos',
      'x STRING, pos INT64',
    ],
    ['of an offset without alias is offset', 'select offset from unnest(["a"]) with offset', 'offset INT64'],
    ['in backquotes may be a keyword', 'select `select` from (select 1 as `select`)', 'select INT64'],
    ['after a dot may be a keyword', 'select t.select from (select 1 as `select`) t', 'select INT64'],
    [
      'may be a word that is no reserved keyword',
      'select offset, date, key from (select 1 offset, 2 date, 3 key)',
      'offset INT64, date INT64, key INT64',
    ],
    ['may reach into structs', 'select a.b.c from (select struct(struct(1 as c) as b) as a)', 'c INT64'],
    ['may reach into JSON', 'select j.a.b from (select json "{}" as j)', 'b JSON'],
  ])('%s', (_, sql, columns) => {
    expect(columnsOf(sql)).toBe(columns);
  });

  test.each<[string, string, string]>([
    [
      'is unknown',
      'select nope from auth_logs',
      'Unrecognized name: nope; there are auth_logs, id, timestamp, event_message, metadata (line 1, column 8)',
    ],
    [
      'is misspelled',
      'select\n  evnt_message from auth_logs',
      'Unrecognized name: evnt_message; did you mean event_message? (line 2, column 3)',
    ],
    [
      'is in two tables',
      'select timestamp from edge_logs e join auth_logs a on e.id = a.id',
      "Column name timestamp is ambiguous; put its table's alias before it (line 1, column 8)",
    ],
    [
      'is in two unnested records',
      'select path from auth_logs, unnest(metadata) m, (select 1 as path)',
      "Column name path is ambiguous; put its table's alias before it (line 1, column 8)",
    ],
    [
      'is a field of a record that is not unnested',
      'select level from auth_logs',
      'Unrecognized name: level; metadata has a field of that name: unnest it first (line 1, column 8)',
    ],
    [
      'is an alias in WHERE',
      'select id as x from auth_logs where x = "a"',
      'Unrecognized name: x; there are auth_logs, id, timestamp, event_message, metadata (line 1, column 37)',
    ],
    [
      'is an alias in the list itself',
      'select id as x, x from auth_logs',
      'Unrecognized name: x; there are auth_logs, id, timestamp, event_message, metadata (line 1, column 17)',
    ],
    [
      'is no field of its record',
      'select m.levl from auth_logs, unnest(metadata) m',
      'Field name levl does not exist in the record; did you mean level? It has: level, path (line 1, column 10)',
    ],
    [
      'is no column of its table',
      'select a.nope from auth_logs a',
      'Name nope not found inside a. It has: id, timestamp, event_message, metadata (line 1, column 10)',
    ],
    [
      'goes through a repeated field',
      'select metadata.level from auth_logs',
      'Cannot access field level on a value with type ARRAY<STRUCT>; it is repeated: unnest it first (line 1, column 17)',
    ],
    [
      'goes into text',
      'select id.x from auth_logs',
      'Cannot access field x on a value with type STRING (line 1, column 11)',
    ],
    [
      'is a later table',
      'select 1 from unnest(a.metadata) m, auth_logs a',
      'Unrecognized name: a (line 1, column 22)',
    ],
  ])('that %s is refused with its place', (_, sql, message) => {
    expect(refusalOf(sql)).toBe(message);
  });

  test('of a table that does not exist is answered with the sources', () => {
    expect(refusalOf('select 1 from edge_log')).toBe(
      'Table not found: edge_log; did you mean edge_logs? Sources here: edge_logs, auth_logs, postgres_logs (line 1, column 15)',
    );
    expect(refusalOf('select 1 from logs.edge_logs')).toMatch(/^Table not found: logs\.edge_logs/);
    expect(refusalOf('select 1 from `logs.edge_logs`')).toMatch(/^Table not found: logs\.edge_logs/);
  });
});

describe('JOIN', () => {
  const pair = '(select 1 a, 2 b) x join (select 1.5 a, 3 c) y';

  test.each<[string, string]>([
    [`select * from ${pair} using (a)`, 'a INT64, b INT64, c INT64'],
    [`select a, x.a as xa, y.a as ya from ${pair} using (a)`, 'a INT64, xa INT64, ya FLOAT64'],
    ['select * from (select 1 a, 2 b) full join (select 1 a, 3 c) using (a)', 'a INT64, b INT64, c INT64'],
    ['select x.* from (select 1 a, 2 b) x join (select 1 a, 3 c) y using (a)', 'a INT64, b INT64'],
    [
      'select * from (select 1 a, 2 b) x join (select 1 a, 3 c) y using (a) join (select 1 a, 4 d) z using (a)',
      'a INT64, b INT64, c INT64, d INT64',
    ],
    [
      'select 1 as k from (edge_logs a join auth_logs b on a.id = b.id) join postgres_logs c on c.id = a.id',
      'k INT64',
    ],
    ['select n, e.id from edge_logs e right join unnest([1, 2]) n on n = length(e.id)', 'n INT64, id STRING'],
    ['select n, e.id from edge_logs e full join unnest([1, 2]) n on n = length(e.id)', 'n INT64, id STRING'],
    [
      'select n, o from edge_logs e left join unnest([1, 2]) n with offset o on n = length(e.id)',
      'n INT64, o INT64',
    ],
    [
      'select m.level, o from auth_logs a left join unnest(metadata) m with offset o on o > 0',
      'level STRING, o INT64',
    ],
    ['select m.level from auth_logs a left join a.metadata m on m.path is null', 'level STRING'],
    ['select r.method from edge_logs e, e.metadata m, m.request r', 'method STRING'],
  ])('%s', (sql, columns) => {
    expect(columnsOf(sql)).toBe(columns);
  });

  test.each<[string, string]>([
    [
      'select a from (select 1 a) x join (select 1 a) y on x.a = y.a',
      "Column name a is ambiguous; put its table's alias before it (line 1, column 8)",
    ],
    [
      'select 1 from edge_logs join auth_logs',
      'INNER JOIN must have an ON or USING clause (line 1, column 25)',
    ],
    [
      'select 1 from edge_logs cross join auth_logs on true',
      'CROSS JOIN takes no condition (line 1, column 25)',
    ],
    [
      'select 1 from edge_logs e, auth_logs e',
      'Duplicate table alias e in the same FROM clause (line 1, column 26)',
    ],
    [
      'select 1 from edge_logs join edge_logs on true',
      'Duplicate table alias edge_logs in the same FROM clause (line 1, column 25)',
    ],
    [
      'select 1 from edge_logs join auth_logs using (nope)',
      'Column nope in USING clause not found on one side of the join (line 1, column 47)',
    ],
    [
      'select 1 from edge_logs e join auth_logs a on e.id',
      'JOIN ON clause should return type BOOL, but returns STRING (line 1, column 49)',
    ],
    [
      'select 1 from auth_logs a right join unnest(a.metadata) m on true',
      'Array scan is not allowed with RIGHT JOIN (line 1, column 27)',
    ],
    [
      'select 1 from edge_logs, unnest(event_message)',
      'Values referenced in UNNEST must be arrays. UNNEST contains expression of type STRING (line 1, column 33)',
    ],
  ])('%s is refused', (sql, message) => {
    expect(refusalOf(sql)).toBe(message);
  });
});

describe('SELECT *', () => {
  test.each<[string, string]>([
    ['select * from (select 1 a, "x" b)', 'a INT64, b STRING'],
    [
      'select * from auth_logs a, unnest(metadata) m limit 1',
      'id STRING, timestamp TIMESTAMP, event_message STRING, metadata ARRAY<STRUCT<level STRING, path STRING>>, level STRING, path STRING',
    ],
    ['select * except (metadata) from auth_logs', 'id STRING, timestamp TIMESTAMP, event_message STRING'],
    [
      'select * except (METADATA, id) replace (1 as timestamp) from auth_logs',
      'timestamp INT64, event_message STRING',
    ],
    ['select m.* except (path), id from auth_logs, unnest(metadata) m', 'level STRING, id STRING'],
    ['select a.b.* from (select struct(struct(1 as c, 2 as d) as b) as a)', 'c INT64, d INT64'],
    ['select *, 1 as n from unnest([1, 2]) x with offset o', 'x INT64, o INT64, n INT64'],
  ])('%s', (sql, columns) => {
    expect(columnsOf(sql)).toBe(columns);
  });

  test.each<[string, string]>([
    ['select *', 'SELECT * must have a FROM clause (line 1, column 8)'],
    [
      'select * except (nope) from auth_logs',
      'Column nope in SELECT * EXCEPT list does not exist (line 1, column 18)',
    ],
    [
      'select * replace (1 as nope) from auth_logs',
      'Column nope in SELECT * REPLACE list does not exist (line 1, column 24)',
    ],
    [
      'select * except (id, ID) from auth_logs',
      'Duplicate column ID in SELECT * EXCEPT list (line 1, column 22)',
    ],
    [
      'select * replace (1 as id, 2 as id) from auth_logs',
      'Duplicate column id in SELECT * REPLACE list (line 1, column 33)',
    ],
    [
      'select * except (id) replace (1 as id) from auth_logs',
      'Column id cannot occur in both SELECT * EXCEPT and REPLACE (line 1, column 36)',
    ],
    ['select * except (a) from (select 1 a)', 'SELECT * EXCEPT leaves no column (line 1, column 8)'],
    ['select id.* from auth_logs', 'Dot-star is not supported for type STRING (line 1, column 8)'],
    [
      'select e.*, a.* from edge_logs e, auth_logs a',
      'Duplicate column names in the result are not supported: id; give one of them another alias (line 1, column 1)',
    ],
  ])('%s is refused', (sql, message) => {
    expect(refusalOf(sql)).toBe(message);
  });
});

describe('WITH', () => {
  test.each<[string, string]>([
    ['with a as (select 1 x), b as (select x + 0.5 y from a) select * from a, b', 'x INT64, y FLOAT64'],
    ['with a as (select 1 x) select * from (with a as (select "z" z) select * from a)', 'z STRING'],
    ['with edge_logs as (select 1 x) select * from edge_logs', 'x INT64'],
    ['with A as (select 1 x) select a.x from a', 'x INT64'],
    [
      'with a as (select 1 x) select (with b as (select x from a) select x + 1 from b) as y, x from a',
      'y INT64, x INT64',
    ],
    ['with s as (select as struct 1 a, "x" b) select b, s from s', 'b STRING, s STRUCT<a INT64, b STRING>'],
    ['with s as (select as value 5) select s + 1 as n from s', 'n INT64'],
    ['with auth_logs as (select id from auth_logs) select * from auth_logs', 'id STRING'],
  ])('%s', (sql, columns) => {
    expect(columnsOf(sql)).toBe(columns);
  });

  test.each<[string, string]>([
    [
      'with x as (select 1 a), X as (select 2 a) select * from x',
      'Duplicate alias X for WITH subquery (line 1, column 25)',
    ],
    ['with a as (select * from b), b as (select 1) select * from a', 'Table not found: b;'],
    ['with a as (select * from a) select * from a', 'Table not found: a;'],
    [
      'select id, (with c as (select id) select * from c) from edge_logs',
      'Unrecognized name: id (line 1, column 31)',
    ],
    ['with a as (select 1 x, 2 x) select x from a', 'Column name x is ambiguous'],
  ])('%s is refused', (sql, message) => {
    expect(refusalOf(sql)).toContain(message);
  });
});

describe('a subquery', () => {
  test.each<[string, string]>([
    [
      'select id, (select count(*) from auth_logs a where a.id = edge_logs.id) n from edge_logs',
      'id STRING, n INT64',
    ],
    [
      'select id from edge_logs e where exists (select 1 from unnest(e.metadata) m, m.response r where r.status_code > 400)',
      'id STRING',
    ],
    ['select id from edge_logs where id in (select id from auth_logs)', 'id STRING'],
    ['select 1.5 in (select 1) as hit', 'hit BOOL'],
    [
      'select array(select r.path from unnest(metadata) m, unnest(m.request) r) paths from edge_logs',
      'paths ARRAY<STRING>',
    ],
    ['select array(select as struct 1 a, "x" b) s', 's ARRAY<STRUCT<a INT64, b STRING>>'],
    ['select (select as struct id, timestamp from auth_logs limit 1).timestamp', 'timestamp TIMESTAMP'],
    ['select id, x from edge_logs e, unnest((select array_agg(id) from auth_logs)) x', 'id STRING, x STRING'],
    ['select (select 1 union all select 2.5 limit 1) n', 'n FLOAT64'],
    ['select ((select 1) union all (select 2)) n', 'n INT64'],
  ])('%s', (sql, columns) => {
    expect(columnsOf(sql)).toBe(columns);
  });

  test.each<[string, string]>([
    [
      'select (select id, timestamp from edge_logs limit 1)',
      'Scalar subquery cannot have more than one column unless using SELECT AS STRUCT to build STRUCT values (line 1, column 8)',
    ],
    ['select array(select 1, 2)', 'ARRAY subquery cannot have more than one column'],
    ['select array(select [1])', 'Cannot use array subquery with column of type ARRAY'],
    [
      'select id from edge_logs where id in (select id, id x from auth_logs)',
      'Subquery of type IN cannot have more than one column',
    ],
    [
      'select id from edge_logs where id in (select 1)',
      'No matching signature for operator IN for argument types STRING and {INT64} (line 1, column 35)',
    ],
    ['select id, x from edge_logs e, (select e.id x)', 'Unrecognized name: e (line 1, column 40)'],
    ['select a.id from auth_logs a, (select y from unnest(a.metadata) y)', 'Unrecognized name: a'],
  ])('%s is refused', (sql, message) => {
    expect(refusalOf(sql)).toContain(message);
  });
});

describe('an alias of the select list in a subquery', () => {
  test.each<[string, string]>([
    ['select id as i, count(*) as n from auth_logs group by id having (select n) > 1', 'i STRING, n INT64'],
    [
      'select id as i, count(*) as n from auth_logs group by id order by (select concat(i, n))',
      'i STRING, n INT64',
    ],
    [
      'select sum(1) over () as s from auth_logs qualify exists (select 1 from unnest([s]) as x where x = s)',
      's INT64',
    ],
    ['select struct(id as p) as q from auth_logs order by (select q.p)', 'q STRUCT<p STRING>'],
  ])('%s', (sql, columns) => {
    expect(columnsOf(sql)).toBe(columns);
  });

  test.each<[string, string]>([
    ['select id as i from auth_logs where (select i) = "a"', 'Unrecognized name: i'],
    ['select id as i, (select i) as j from auth_logs', 'Unrecognized name: i'],
    ['select count(*) as n from auth_logs group by (select n)', 'Unrecognized name: n'],
  ])('%s is refused', (sql, message) => {
    expect(refusalOf(sql)).toContain(message);
  });
});
