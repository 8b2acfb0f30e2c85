import type { ResolvedCall, ResolvedExpression } from '../../sql/resolved/expression.ts';
import type { QueryParameter } from '../../sql/types/query-parameter.ts';
import { PART_MICROS } from '../../sql/values/part-micros.ts';
import { isTimestamp, MICROS_PER_DAY } from '../../time/units.ts';
import { notSealable } from './not-sealable.ts';

/** The inputs of an expression without columns. */
export interface EvaluationContext {
  readonly nowMicros: bigint;
  readonly parameters: ReadonlyMap<string, QueryParameter>;
}

type Value = string | bigint | number | boolean | null;
type Compute = (values: readonly Value[], unit: bigint) => Value;

const integers = (compute: (a: bigint, b: bigint) => bigint): Compute =>
  strict(([a, b]) => compute(integer(a), integer(b)));

/** Intervals are microseconds here, as timestamps are, so that one sum serves both. */
const CALLS: Readonly<Record<string, Compute>> = {
  $ADD: integers((a, b) => a + b),
  $SUBTRACT: integers((a, b) => a - b),
  $MULTIPLY: integers((a, b) => a * b),
  $UNARY_MINUS: strict(([a]) => -integer(a)),
  $EQUAL: strict(([a, b]) => a === b),
  $INTERVAL: strict(([count], unit) => integer(count) * unit),
  TIMESTAMP_ADD: strict(([time, count], unit) => integer(time) + integer(count) * unit),
  TIMESTAMP_SUB: strict(([time, count], unit) => integer(time) - integer(count) * unit),
  TIMESTAMP_TRUNC: strict(([time], unit) => {
    const remainder = integer(time) % unit;
    return integer(time) - (remainder < 0n ? remainder + unit : remainder);
  }),
  COALESCE: (values) => values.find((value) => value !== null) ?? null,
  IFNULL: (values) => values.find((value) => value !== null) ?? null,
  IF: ([condition, yes = null, no = null]) => (condition === true ? yes : no),
};

/** The instant that an expression stands for, in microseconds; null for NULL and for one that GoogleSQL cannot hold. */
export function instantOf(expression: ResolvedExpression, context: EvaluationContext): bigint | null {
  const value = evaluate(expression, context);
  if (typeof value !== 'bigint' || !isTimestamp(value)) return null;
  return value;
}

/** All branches are looked at, so that what cannot be evaluated is found whatever the parameters are. */
function evaluate(expression: ResolvedExpression, context: EvaluationContext): Value {
  switch (expression.kind) {
    case 'literal':
      return expression.type.kind === 'INTERVAL' ? intervalOf(expression.value) : expression.value;
    case 'parameter':
      return context.parameters.get(String(expression.name))?.value ?? null;
    case 'case': {
      const otherwise = evaluate(expression.otherwise, context);
      const branches = expression.branches.map(({ when, result }) => {
        return { isTaken: evaluate(when, context) === true, value: evaluate(result, context) };
      });
      const taken = branches.find(({ isTaken }) => isTaken);
      return taken === undefined ? otherwise : taken.value;
    }
    case 'call':
      return call(expression, context);
    default:
      throw unknownBound();
  }
}

function call({ name, arguments: given, part, type }: ResolvedCall, context: EvaluationContext): Value {
  if (name === 'CURRENT_TIMESTAMP') return context.nowMicros;
  const compute = Object.hasOwn(CALLS, name) ? CALLS[name] : undefined;
  const unit = part === null ? 1n : PART_MICROS[part.name];
  const isZoned = name === 'TIMESTAMP_TRUNC' && given.length > 1;
  if (compute === undefined || unit === undefined || isZoned || type.kind === 'DATE') throw unknownBound();
  return compute(
    given.map((argument) => evaluate(argument, context)),
    unit,
  );
}

/** NULL where an argument is. */
function strict(compute: Compute): Compute {
  return (values, unit) => (values.includes(null) ? null : compute(values, unit));
}

function integer(value: Value | undefined): bigint {
  if (typeof value !== 'bigint') throw unknownBound();
  return value;
}

/** An interval's months, days and microseconds, of which the months have no fixed length. */
function intervalOf(value: Value): bigint | null {
  if (value === null) return null;
  const [months = '1', days = '0', micros = '0'] = String(value).split(' ');
  if (months !== '0') throw unknownBound();
  return BigInt(days) * MICROS_PER_DAY + BigInt(micros);
}

function unknownBound() {
  return notSealable(
    'a bound of the time may be made of CURRENT_TIMESTAMP(), parameters, whole numbers and parts up to DAY with TIMESTAMP_ADD, TIMESTAMP_SUB, TIMESTAMP_TRUNC, INTERVAL, CASE, IF, IFNULL, COALESCE, +, - and *',
  );
}
