import { describe, expect, test } from '@jest/globals';
import { ServiceError } from '../../../../shared/errors/service-error.ts';
import { parseStatement } from '../../../../shared/sql/parser/parse-query.ts';

describe('the parser', () => {
  test.each([
    ['joins in parentheses', 'select * from (a join b using (id)), c'],
    ['FULL JOIN before a comma', 'select * from a full join b using (id), c'],
    ['FULL JOIN in parentheses behind a comma', 'select * from a, (b full join c using (id))'],
  ])('accepts %s', (_, sql) => {
    expect(parseStatement(sql)).toMatchObject({ kind: 'query' });
  });

  test.each([
    ['a table alone in parentheses', 'select * from (a)', 'Expected keyword JOIN but got ")"'],
    ['a comma join in parentheses', 'select * from (a, b)', 'Expected keyword JOIN but got ","'],
    ['FULL JOIN behind a comma', 'select * from a, b full join c on true', 'cannot follow a comma'],
    ['RIGHT JOIN behind a comma', 'select * from a, b right join c on true', 'cannot follow a comma'],
    ['a function of the current time', 'select current_timestamp.f(1)', 'got "("'],
  ])('refuses %s', (_, sql, message) => {
    expect(() => parseStatement(sql)).toThrow(ServiceError);
    expect(() => parseStatement(sql)).toThrow(message);
  });
});
