import { binary, call, integer, literal } from '../sql/ast/build.ts';
import type { Expression } from '../sql/ast/expression.ts';
import { LEVEL_NAMES, SEVERITIES, type Severity, type SeverityKind, STATUS_CODES } from './severities.ts';

/** A value that says how serious an entry is, as an expression. */
export interface SeverityValue {
  readonly kind: SeverityKind;
  readonly value: Expression;
}

/** The name of the most serious severity that one of the values stands for; NULL where none stands for any. */
export function severityExpression(values: readonly SeverityValue[]): Expression {
  const branches = SEVERITIES.flatMap((severity) => {
    const conditions = values.flatMap((one) => conditionOf(one, severity) ?? []);
    const [first, ...rest] = conditions;
    if (first === undefined) return [];
    const when = rest.reduce((left, right) => binary(left, 'OR', right), first);
    return [{ when, result: literal('STRING', severity) }];
  });
  return { kind: 'case', operand: null, branches, otherwise: null, at: 0 };
}

function conditionOf({ kind, value }: SeverityValue, severity: Severity): Expression | null {
  if (kind === 'status') {
    const range = STATUS_CODES[severity];
    if (range === undefined) return null;
    const [low, high] = range;
    return { kind: 'between', operand: value, low: integer(low), high: integer(high), negated: false, at: 0 };
  }
  const values = LEVEL_NAMES[severity].map((name) => literal('STRING', name));
  return {
    kind: 'in',
    operand: call('UPPER', value),
    list: { kind: 'values', values },
    negated: false,
    at: 0,
  };
}
