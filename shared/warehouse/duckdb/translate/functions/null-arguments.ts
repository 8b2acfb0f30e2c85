import { duck, joined, type Sql } from '../duck/sql.ts';
import { withLocals } from './fragments.ts';

/** Functions that are NULL if one of so many first arguments is, even where another argument would be an error. */
const NULL_FIRST: Readonly<Record<string, number>> = {
  EDIT_DISTANCE: 2,
  FLOAT64: 1,
  LEFT: 2,
  REPEAT: 2,
  RIGHT: 2,
  SUBSTR: 3,
  SUBSTRING: 3,
};

/** What `translate` makes of the arguments, or NULL where GoogleSQL looks at NULL before it looks at the values. */
export function nullFirst(name: string, sql: readonly Sql[], translate: (names: readonly Sql[]) => Sql): Sql {
  const count = NULL_FIRST[name];
  const plain = translate(sql);
  if (count === undefined || !plain.properties.mayRaise) return plain;
  return withLocals(sql, (...names) => {
    const isNull = joined(
      names.slice(0, count).map((one) => duck`${one} IS NULL`),
      ' OR ',
    );
    return duck`CASE WHEN ${isNull} THEN NULL ELSE ${translate(names)} END`;
  });
}
