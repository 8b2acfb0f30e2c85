import { compileLql } from '../lql/compile.ts';
import { parseLql } from '../lql/parse.ts';
import { literal } from '../sql/ast/build.ts';
import type { Expression } from '../sql/ast/expression.ts';
import { mapQuery } from '../sql/ast/map-query.ts';
import { printQuery } from '../sql/print/print-query.ts';
import type { QueryParameter } from '../sql/types/query-parameter.ts';
import type { Sources } from './condition.ts';
import { formatSql } from './format-sql.ts';
import { equalsValue } from './wire-literal.ts';

/**
 * A query in LQL as GoogleSQL over the same sources, with its values as literals: what is relative to the present becomes the
 * times that it stands for now. Throws a ServiceError (invalid_argument) with the place in the LQL.
 */
export function lqlToSql(text: string, sources: Sources, nowMicros: bigint): string {
  const { tree, parameters } = compileLql(text, parseLql(text), {
    sources,
    nowMicros,
    parameterPrefix: 'lql_',
  });
  const written = mapQuery(tree, (node) => {
    const value = node.kind === 'parameter' ? parameters.get(node.name) : undefined;
    return value === undefined ? node : literalOf(value);
  });
  return formatSql(printQuery(written));
}

function literalOf({ type, value }: QueryParameter): Expression {
  if (typeof value === 'boolean') return literal('BOOL', value ? 'TRUE' : 'FALSE');
  const wire = value === null || typeof value === 'string' ? value : String(value);
  const test = equalsValue(type, wire)?.(literal('NULL', 'NULL'));
  return test?.kind === 'binary' ? test.right : literal('NULL', 'NULL');
}
