import type { SqlType } from '../../../../../sql/types/sql-type.ts';
import { duck, type Sql } from '../../duck/sql.ts';
import { raise, withLocals, withLocalsOutsideTry } from '../fragments.ts';

/** SQL of the value in a JavaScriptAnswer, which `read` takes out of its text; an error is NULL where the call has SAFE. */
export function unpacked(answer: Sql, type: SqlType, isSafe: boolean, read: (text: Sql) => Sql): Sql {
  // Called once for each row; what is the same for all rows is computed while the query is planned.
  const name = answer.properties.isConstant ? withLocals : withLocalsOutsideTry;
  return name([answer], (packed) => {
    const text = duck`substring(${packed}, 2)`;
    const raised = raise(text, type).refusing();
    const error = isSafe ? duck`WHEN starts_with(${packed}, '!') THEN NULL ` : duck``;
    return duck`CASE WHEN starts_with(${packed}, '=') THEN ${read(text)} ${error}ELSE ${raised} END`;
  });
}
