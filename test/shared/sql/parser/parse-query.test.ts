import { describe, expect, test } from '@jest/globals';
import { ServiceError } from '../../../../shared/errors/service-error.ts';
import { parseStatement } from '../../../../shared/sql/parser/parse-query.ts';

describe('the parser', () => {
  test.each([
    ['joins in parentheses', 'select * from (a join b using (id)), c'],
    ['FULL JOIN before a comma', 'select * from a full join b using (id), c'],
    [
      'reserved words as fields',
      'select a.from.select, `a`.from, @x.from, f().from, [1].from, (a).from from t',
    ],
    ['a set operation in IN', 'select 1 in ((select 1) union all (select 2))'],
    ['FULL JOIN in parentheses after a comma', 'select * from a, (b full join c using (id))'],
  ])('accepts %s', (_, sql) => {
    expect(parseStatement(sql)).toMatchObject({ kind: 'query' });
  });

  test.each([
    ['dot-star after an operator', 'select a * b.* from t', 'Unexpected "*"'],
    ['a table alone in parentheses', 'select * from (a)', 'Expected keyword JOIN but got ")"'],
    ['a comma join in parentheses', 'select * from (a, b)', 'Expected keyword JOIN but got ","'],
    ['FULL JOIN after a comma', 'select * from a, b full join c on true', 'cannot follow a comma'],
    ['RIGHT JOIN after a comma', 'select * from a, b right join c on true', 'cannot follow a comma'],
    ['a reserved word as a field of TRUE', 'select true.from', 'got keyword FROM'],
    ['a reserved word as a field of a string', "select 'a'.from", 'got keyword FROM'],
    ['a reserved word as a field of CASE', 'select case when 1 then 2 end.from', 'got keyword FROM'],
    ['a reserved word as the name of a type’s field', 'select struct<on string>(1)', 'got keyword ON'],
    ['a function’s path in one pair of backquotes', "select `net.host`('a')", 'Function not found: net.host'],
    ['FROM after a set operator', 'select 1 union all from t', 'needs parentheses'],
    ['FROM before a set operator', 'from t union all select 1', 'needs parentheses'],
    ['an empty set in ROLLUP', 'select 1 from t group by rollup (())', 'Unexpected ")"'],
    ['an alias of a key without AS in a pipe', 'from t |> aggregate group by a b', 'identifier "b"'],
    ['all fields of a product', 'select a*b.* from t', 'Unexpected "*"'],
    ['all fields of the end of a sum', 'select (a)+(b).* from t', 'Unexpected "*"'],
    ['ORDER BY directly after FROM', 'from t order by 1', 'ORDER cannot follow FROM'],
    ['LIMIT directly after FROM', '(from t limit 1)', 'LIMIT cannot follow FROM'],
    ['a function of the current time', 'select current_timestamp.f(1)', 'got "("'],
  ])('refuses %s', (_, sql, message) => {
    expect(() => parseStatement(sql)).toThrow(ServiceError);
    expect(() => parseStatement(sql)).toThrow(message);
  });

  test('takes a query in IN for a query, however many parentheses it has', () => {
    const query = parseStatement('select 1 in (((select 2)))');
    expect(query).toMatchObject({
      body: { items: [{ expression: { kind: 'in', list: { kind: 'query' } } }] },
    });
  });

  test.each([
    ['|| binds looser than *', 'a || b * c', ['||', '*']],
    ['|| binds tighter than +', 'a + b || c', ['+', '||']],
    ['& binds tighter than ^, and ^ than |', 'a | b ^ c & d', ['|', '^']],
    ['<< binds looser than +', 'a << b + c', ['<<', '+']],
  ])('%s', (_, sql, [outer, inner]) => {
    expect(parseStatement(`select ${sql}`)).toMatchObject({
      body: { items: [{ expression: { operator: outer, right: { operator: inner } } }] },
    });
  });

  test('takes a list in parentheses for the keys of a grouping set, and STRUCT for one key', () => {
    const query = parseStatement('select 1 from t group by rollup ((a, b), struct(a, b), (struct(a)))');
    const sets = [{ length: 2 }, { length: 1 }, { length: 1 }];
    expect(query).toMatchObject({ body: { groupBy: { items: [{ kind: 'rollup', sets }] } } });
  });
});
