import { isPlain } from '../../../../shared/lql/parse-field.ts';
import type { Clause, Condition, Instant, LqlQuery, NowPoint } from '../../../../shared/lql/tree.ts';

/** Text that is the same word with and without quotes. */
const PLAIN_WORD = /^[A-Za-z0-9_]+$/;

/** A query as text, in one spelling of each clause: `parseLql(printLql(query))` equals `query` but for the places. */
export function printLql({ clauses }: LqlQuery): string {
  return clauses.map(printClause).join(' ');
}

/** One clause of a query as text. */
function printClause(clause: Clause): string {
  switch (clause.kind) {
    case 'from':
      return `f:${clause.source}`;
    case 'select_all':
      return 's:*';
    case 'select':
      return `s:${shortPath(clause.path)}${clause.alias === null ? '' : `@${clause.alias}`}`;
    case 'aggregate':
      return `c:${clause.function}(${clause.path === null ? '*' : shortPath(clause.path)})`;
    case 'group_by':
      return `c:group_by(t::${clause.period})`;
    case 'filter':
      return `${clause.negated ? '-' : ''}${printCondition(clause.condition)}`;
    default: {
      const unreachable: never = clause;
      throw new TypeError(`clause ${JSON.stringify(unreachable)}`);
    }
  }
}

function printCondition(condition: Condition): string {
  switch (condition.kind) {
    case 'message_contains':
      return printText(condition.text, PLAIN_WORD.test(condition.text));
    case 'message_matches':
      return `~${printText(condition.regex, PLAIN_WORD.test(condition.regex))}`;
    case 'compare':
      return `${shortPath(condition.path)}:${symbol(condition.operator)}${printValue(condition.value.text)}`;
    case 'between':
      return `${shortPath(condition.path)}:${condition.from.text}..${condition.to.text}`;
    case 'matches':
      return `${shortPath(condition.path)}:~${printValue(condition.regex)}`;
    case 'list_contains':
      return `${shortPath(condition.path)}:@>${printValue(condition.value.text)}`;
    case 'list_matches':
      return `${shortPath(condition.path)}:@>~${printValue(condition.regex)}`;
    case 'is_null':
      return `${shortPath(condition.path)}:NULL`;
    case 'levels':
      return `${shortPath(condition.path)}:${condition.from}..${condition.to}`;
    case 'time':
      return `t:${symbol(condition.operator)}${printPoint(condition.point)}`;
    case 'time_between':
      return `t:${condition.from.text}..${condition.to.text}`;
    case 'day':
      return `t:${condition.day}`;
    case 'this':
      return `t:this@${condition.unit}`;
    case 'last':
      return `t:last@${condition.count}${condition.unit}`;
    default: {
      const unreachable: never = condition;
      throw new TypeError(`condition ${JSON.stringify(unreachable)}`);
    }
  }
}

/** The colon says "equal" by itself. */
function symbol(operator: string): string {
  return operator === '=' ? '' : operator;
}

function printPoint(point: Instant | NowPoint): string {
  return point.kind === 'now' ? 'now' : point.text;
}

function printValue(text: string): string {
  return printText(text, text !== 'NULL' && isPlain(text));
}

function printText(text: string, isBare: boolean): string {
  return isBare ? text : `"${text.replace(/["\\]/g, '\\$&')}"`;
}

function shortPath(path: string): string {
  return path.startsWith('metadata.') ? `m.${path.slice('metadata.'.length)}` : path;
}
