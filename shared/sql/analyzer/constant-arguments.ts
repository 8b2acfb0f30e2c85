import type { FunctionCall } from '../ast/expression.ts';
import type { FunctionSpec } from '../functions/signature.ts';
import type { ResolvedExpression } from '../resolved/expression.ts';
import { analysisError, type Environment } from './environment.ts';

interface Constant {
  /** Position of the argument that has to be a constant. */
  readonly index: number;
  readonly least?: number;
  readonly most?: number;
}

/** Arguments that are one value for the whole query (GoogleSQL reference, each function's page). */
const CONSTANTS: Readonly<Record<string, Constant>> = {
  APPROX_QUANTILES: { index: 1, least: 1 },
  APPROX_TOP_COUNT: { index: 1, least: 1 },
  APPROX_TOP_SUM: { index: 2, least: 1 },
  STRING_AGG: { index: 1 },
  LAG: { index: 1, least: 0 },
  LEAD: { index: 1, least: 0 },
  NTILE: { index: 0, least: 1 },
  NTH_VALUE: { index: 1, least: 1 },
  PERCENTILE_CONT: { index: 1, least: 0, most: 1 },
  PERCENTILE_DISC: { index: 1, least: 0, most: 1 },
};

/** Refuses a call in which an argument varies from row to row that must not, or is out of its range. */
export function checkConstants(
  environment: Environment,
  spec: FunctionSpec,
  callArguments: readonly ResolvedExpression[],
  call: FunctionCall,
): void {
  const constant = CONSTANTS[spec.name];
  const argument = constant === undefined ? undefined : callArguments[constant.index];
  if (constant === undefined || argument === undefined) return;
  const complaint = complaintAbout(constant, argument);
  if (complaint === null) return;
  const at = call.arguments[constant.index]?.at ?? call.at;
  throw analysisError(environment, at, `Argument ${constant.index + 1} to ${spec.name} ${complaint}`);
}

function complaintAbout({ least, most }: Constant, argument: ResolvedExpression): string | null {
  const value = argument.kind === 'cast' ? argument.operand : argument;
  if (value.kind === 'parameter') return null;
  if (value.kind !== 'literal') return 'must be a literal or query parameter';
  if (value.value === null) return 'must be non-NULL';
  if (most !== undefined && !(Number(value.value) <= most && Number(value.value) >= (least ?? 0)))
    return `must be between ${least} and ${most}`;
  if (least !== undefined && Number(value.value) < least) return `must be at least ${least}`;
  return null;
}
