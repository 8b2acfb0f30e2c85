import { invalidParameter, ServiceError } from '../errors/service-error.ts';
import { nearestNames } from '../sql/text/nearest-names.ts';
import type { QueryParameter } from '../sql/types/query-parameter.ts';
import type { Endpoint, ParameterSpec } from './endpoint.ts';
import { acceptedBy, parseParameter } from './parse-parameter.ts';

/** Parameters of these names carry the consumer query; the stored query has no such parameters. */
const CONSUMER_QUERY_NAMES = new Set(['sql', 'lql']);

/** Most characters by which a mistyped name is longer or shorter than the one that was meant. */
const MAX_LENGTH_DIFFERENCE = 2;

/** The parameters of a request, checked against those that its endpoint declares. */
export interface BoundParameters {
  /** Every declared parameter by name; an optional one that was not given is a typed NULL. */
  readonly values: ReadonlyMap<string, QueryParameter>;
  /** The names in the request that the endpoint does not declare, in the request's order. */
  readonly ignored: readonly string[];
}

/**
 * Turns the text of a request's parameters into the typed values that the endpoint's query is run with. Names
 * are compared exactly; an empty value counts as not given. Throws one ServiceError (invalid_argument) that
 * names every parameter that is missing, repeated or malformed, with what it accepts.
 */
export async function bindParameters(
  endpoint: Endpoint,
  request: ReadonlyMap<string, readonly string[]>,
): Promise<BoundParameters> {
  const declared = new Set(endpoint.parameters.map((spec) => spec.name));
  const ignored = [...request.keys()].filter(
    (name) => !declared.has(name) && !CONSUMER_QUERY_NAMES.has(name),
  );
  const values = new Map<string, QueryParameter>();
  const faults: ServiceError[] = [];
  for (const spec of endpoint.parameters) {
    const bound = await bindOne(spec, request.get(spec.name) ?? [], ignored);
    if (bound instanceof ServiceError) faults.push(bound);
    else values.set(spec.name, bound);
  }
  const [fault] = faults;
  if (fault !== undefined) throw faults.length === 1 ? fault : joined(faults);
  return { values, ignored };
}

async function bindOne(
  spec: ParameterSpec,
  given: readonly string[],
  ignored: readonly string[],
): Promise<QueryParameter | ServiceError> {
  if (given.length > 1) return refusal(spec, `is given ${given.length} times; give it once`);
  const [text = ''] = given;
  if (text === '')
    return spec.required ? refusal(spec, missing(spec, ignored)) : { type: spec.type, value: null };
  const parsed = await parseParameter(spec, text);
  if ('value' in parsed) return { type: spec.type, value: parsed.value };
  return refusal(spec, `is not valid: ${parsed.problem}. It accepts ${acceptedBy(spec)}`);
}

function missing(spec: ParameterSpec, ignored: readonly string[]): string {
  const alike = ignored.filter((name) => Math.abs(name.length - spec.name.length) <= MAX_LENGTH_DIFFERENCE);
  const [meant] = nearestNames(spec.name, alike);
  const hint = meant === undefined ? '' : ` ('${meant}' is given; names must match exactly)`;
  const description = spec.description.replace(/[\s.]+$/, '');
  return `is missing or empty${hint}. ${description}. It accepts ${acceptedBy(spec)}, for example ${spec.name}=${spec.example}`;
}

function refusal(spec: ParameterSpec, complaint: string): ServiceError {
  return invalidParameter(spec.name, `Parameter '${spec.name}' ${complaint}.`);
}

function joined(faults: readonly ServiceError[]): ServiceError {
  return new ServiceError('invalid_argument', faults.map((fault) => fault.message).join(' '), {
    details: faults.flatMap((fault) => fault.details),
  });
}
