import { call, literal } from '../sql/ast/build.ts';
import type { Expression } from '../sql/ast/expression.ts';
import type { ScalarTypeName } from '../sql/types/sql-type.ts';
import { formatMicros } from '../time/iso-timestamp.ts';

/** A value as answers have it. */
export type WireValue = string | number | boolean | null;

/** Types whose literals are written with a text: `DATE '2026-01-31'`. */
const TEXT_LITERALS = ['DATE', 'DATETIME', 'TIME', 'NUMERIC', 'BIGNUMERIC'] as const;
const WHOLE_NUMBER = /^-?\d{1,19}$/;
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A condition that holds for exactly one value of an expression. */
export type ValueTest = (operand: Expression) => Expression;

/**
 * What asks whether an expression of a type has a value of an answer, NULL among them. Null for types whose values
 * cannot be compared, and for values that are none of the type.
 */
export function equalsValue(type: ScalarTypeName | 'ARRAY' | 'STRUCT', value: WireValue): ValueTest | null {
  if (value === null) return (operand) => ({ kind: 'is', operand, test: 'NULL', negated: false, at: 0 });
  if (type === 'FLOAT64' && value === 'NaN') return (operand) => call('IS_NAN', operand);
  if (type === 'BOOL' && typeof value === 'boolean') {
    const test = value ? 'TRUE' : 'FALSE';
    return (operand) => ({ kind: 'is', operand, test, negated: false, at: 0 });
  }
  const constant = literalOf(type, String(value));
  if (constant === null || typeof value === 'boolean') return null;
  return (operand) => ({ kind: 'binary', operator: '=', left: operand, right: constant, at: 0 });
}

function literalOf(type: ScalarTypeName | 'ARRAY' | 'STRUCT', text: string): Expression | null {
  const dated = TEXT_LITERALS.find((one) => one === type);
  if (dated !== undefined) return literal(dated, text);
  switch (type) {
    case 'STRING':
      return literal('STRING', text);
    case 'INT64':
      return WHOLE_NUMBER.test(text) ? literal('INT64', text) : null;
    case 'FLOAT64':
      if (text === 'Infinity' || text === '-Infinity') return infinity(text);
      return NUMBER.test(text) ? literal(WHOLE_NUMBER.test(text) ? 'INT64' : 'FLOAT64', text) : null;
    case 'TIMESTAMP':
      return WHOLE_NUMBER.test(text) ? literal('TIMESTAMP', formatMicros(BigInt(text))) : null;
    default:
      return null;
  }
}

function infinity(text: string): Expression {
  return {
    kind: 'cast',
    operand: literal('STRING', text === 'Infinity' ? 'inf' : '-inf'),
    type: { kind: 'scalar', name: 'FLOAT64', at: 0 },
    safe: false,
    format: null,
    zone: null,
    at: 0,
  };
}
