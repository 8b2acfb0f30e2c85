import type { Clause, FieldTest, Query } from './model.ts';
import { renderTimeTest } from './render-time.ts';

/** Chooses one of several spellings. */
export type Pick = <T>(...options: readonly T[]) => T;

/** A choice that follows a list of numbers, from its start again at its end. */
export function pickBy(numbers: readonly number[]): Pick {
  let next = 0;
  return (...options) => {
    const number = numbers[next++ % numbers.length] ?? 0;
    const option = options[number % options.length];
    if (option === undefined) throw new RangeError('nothing to choose from');
    return option;
  };
}

/** Writes a query as text, in one of the many ways to write it. */
export function renderLql(query: Query, pick: Pick): string {
  return joinClauses(renderClauses(query, pick), pick);
}

/** Writes each clause on its own. */
export function renderClauses(query: Query, pick: Pick): string[] {
  return query.map((clause) => renderClause(clause, pick));
}

/** Puts white space of some kind between clauses. */
export function joinClauses(clauses: readonly string[], pick: Pick): string {
  const space = () => pick(' ', ' ', ' ', '  ', '\t', '\n', '\r\n', ' \n ');
  const spaced = clauses.map((clause, index) => (index === 0 ? clause : space() + clause));
  return pick('', '', ' ', '\n') + spaced.join('') + pick('', '', ' ', '\t');
}

function renderClause(clause: Clause, pick: Pick): string {
  switch (clause.kind) {
    case 'from':
      return `${pick('f', 'from')}:${clause.source}`;
    case 'select': {
      const alias = clause.alias === null ? '' : `@${clause.alias}`;
      return `${pick('s', 'select')}:${clause.path === null ? '*' : renderPath(clause.path, pick)}${alias}`;
    }
    case 'aggregate': {
      const path = clause.path === null ? '*' : renderPath(clause.path, pick);
      return `${pick('c', 'chart')}:${clause.name}(${path})`;
    }
    case 'group': {
      const period = pick(clause.period, clause.period.slice(0, 1));
      return `${pick('c', 'chart')}:group_by(${pick('t', 'timestamp')}::${period})`;
    }
    case 'message':
      return minus(clause.negated) + renderMessage(clause.text, clause.regex, pick);
    case 'time':
      return `${minus(clause.negated)}${pick('t', 'timestamp')}${renderTimeTest(clause.test, pick)}`;
    case 'levels':
      return `${minus(clause.negated)}${pick('m', 'metadata')}.level:${clause.from}..${clause.to}`;
    case 'field':
      return minus(clause.negated) + renderPath(clause.path, pick) + renderTest(clause.test, pick);
    default: {
      const unreachable: never = clause;
      throw new TypeError(`clause ${JSON.stringify(unreachable)}`);
    }
  }
}

function minus(negated: boolean): string {
  return negated ? '-' : '';
}

function renderPath(path: string, pick: Pick): string {
  return path.replace(/^metadata\./, pick('m.', 'metadata.'));
}

function renderTest(test: FieldTest, pick: Pick): string {
  switch (test.kind) {
    case 'null':
      return ':NULL';
    case 'between':
      return `:${test.from}..${test.to}`;
    case 'compare':
      return test.order + renderValue(test.value, pick);
    case 'matches':
      return `:~${renderValue(test.pattern, pick)}`;
    case 'contains':
      return `:@>${renderValue(test.value, pick)}`;
    case 'containsMatch':
      return `:@>~${renderValue(test.pattern, pick)}`;
    default: {
      const unreachable: never = test;
      throw new TypeError(`test ${JSON.stringify(unreachable)}`);
    }
  }
}

const UNQUOTED =
  /^(?:[A-Za-z0-9_]+|\d+\.\d+|\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)?)?)$/;

function renderValue(text: string, pick: Pick): string {
  const forms = [quote(text, pick)];
  if (UNQUOTED.test(text) && text !== 'NULL') forms.push(text, text, text);
  if (!text.includes(')')) forms.push(`(${text.replaceAll('\\', '\\\\').replaceAll('"', pick('"', '\\"'))})`);
  return pick(...forms);
}

function renderMessage(text: string, regex: boolean, pick: Pick): string {
  const forms = [quote(text, pick)];
  if (/^[A-Za-z0-9._!%$^+[\]?(){}#&*/<=>@;,|"][A-Za-z0-9._!%$^+[\]?(){}#&*/<=>@;,|"-]*$/.test(text)) {
    const word = text.replaceAll('"', '\\"');
    forms.push(word, word);
  }
  return (regex ? '~' : '') + pick(...forms);
}

/** In quotes; a backslash stays single where nothing behind it can make it an escape. */
function quote(text: string, pick: Pick): string {
  const single = pick(true, false);
  const escaped = text.replaceAll(/\\(?=([^"\\])?)|"/g, (found, next: string | undefined) => {
    if (found === '"') return '\\"';
    return single && next !== undefined ? '\\' : '\\\\';
  });
  return `"${escaped}"`;
}
