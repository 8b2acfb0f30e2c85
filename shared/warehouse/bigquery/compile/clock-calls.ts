import { parameter } from '../../../sql/ast/build.ts';
import type { Expression, FunctionCall } from '../../../sql/ast/expression.ts';
import { clockFunctions } from '../../../sql/functions/catalog.ts';

/** The functions whose value is the present, with the function that makes it of an instant. */
const CLOCK_FUNCTIONS: ReadonlyMap<string, string | null> = new Map(
  clockFunctions().map(({ name, signatures }) => {
    const result = signatures[0]?.result;
    const type = result?.kind === 'type' ? result.type.kind : 'TIMESTAMP';
    return [name, type === 'TIMESTAMP' ? null : type];
  }),
);

/** Whether a call asks for the present. */
export function readsClock({ name }: FunctionCall): boolean {
  return CLOCK_FUNCTIONS.has(name);
}

/** A call that asks for the present, with the parameter that holds it instead. */
export function clockValue(call: FunctionCall, clockParameter: string): Expression {
  const now = parameter(clockParameter);
  const convert = CLOCK_FUNCTIONS.get(call.name) ?? null;
  return convert === null ? now : { ...call, name: convert, arguments: [now, ...call.arguments] };
}
