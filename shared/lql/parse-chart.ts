import { AGGREGATE_NAMES, lookUp, memberOf, PERIODS } from './keywords.ts';
import { lqlError, quoteText } from './lql-error.ts';
import { fullPath, malformed, type PathLexemes, plainValue } from './path-clause.ts';
import type { AggregateClause, GroupByClause } from './tree.ts';

const CALL = /^([A-Za-z0-9_]*)\(([^()]*)\)$/;
const GROUP_KEY = /^(?:t|timestamp)::(.*)$/;
const PATH = /^[A-Za-z0-9_.]+$/;

const EXPECTED = 'expected an aggregate or a period, as in c:count(*) or c:group_by(t::hour)';

/** Reads `c:aggregate(path)` and `c:group_by(t::period)`. Throws a ServiceError (invalid_argument, syntax). */
export function parseChart(text: string, lexemes: PathLexemes): AggregateClause | GroupByClause {
  const { at, value } = lexemes;
  const [, name, argument] = CALL.exec(plainValue(lexemes) ?? '') ?? [];
  if (name === undefined || argument === undefined) throw malformed(text, lexemes, EXPECTED);
  if (name === 'group_by') {
    const written = GROUP_KEY.exec(argument)?.[1];
    if (written === undefined) throw malformed(text, lexemes, 'expected group_by(t::period)');
    const period = lookUp(PERIODS, written);
    if (period === undefined) {
      const message = `unknown period ${quoteText(written)}, expected second, minute, hour or day`;
      throw lqlError(text, value.at + value.text.lastIndexOf('::') + 2, 'syntax', message);
    }
    return { kind: 'group_by', at, period };
  }
  const aggregate = memberOf(AGGREGATE_NAMES, name);
  if (aggregate === undefined) {
    const message = `unknown aggregate ${quoteText(name)}, expected ${AGGREGATE_NAMES.join(', ')} or group_by`;
    throw lqlError(text, value.at, 'syntax', message);
  }
  if (argument !== '*' && !PATH.test(argument)) {
    throw malformed(text, lexemes, `expected * or a path in ${aggregate}(…)`);
  }
  return { kind: 'aggregate', at, function: aggregate, path: argument === '*' ? null : fullPath(argument) };
}
