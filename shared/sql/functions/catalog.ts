import { AGGREGATE_FAMILIES, type CallFamily, PLAIN, WINDOW_FAMILIES } from './aggregates.ts';
import { ARRAY_FUNCTIONS } from './arrays.ts';
import { DATE_TIME_FUNCTIONS } from './date-time.ts';
import { JSON_FUNCTIONS } from './json.ts';
import { MATH_FUNCTIONS } from './math.ts';
import { CONDITIONAL_FUNCTIONS, OPERATORS } from './operators.ts';
import { parseSignature } from './parse-signature.ts';
import type { FunctionSpec, Signature } from './signature.ts';
import { STRING_FUNCTIONS, TEXT_ANALYSIS_FUNCTIONS } from './strings.ts';

const SCALAR_FAMILY: CallFamily = {
  kind: 'scalar',
  allows: PLAIN,
  lines: [
    ...OPERATORS,
    ...CONDITIONAL_FUNCTIONS,
    ...STRING_FUNCTIONS,
    ...TEXT_ANALYSIS_FUNCTIONS,
    ...MATH_FUNCTIONS,
    ...DATE_TIME_FUNCTIONS,
    ...JSON_FUNCTIONS,
    ...ARRAY_FUNCTIONS,
  ],
};

const CATALOG: ReadonlyMap<string, FunctionSpec> = new Map(
  [SCALAR_FAMILY, ...AGGREGATE_FAMILIES, ...WINDOW_FAMILIES].flatMap(readFamily),
);

function readFamily(family: CallFamily): [string, FunctionSpec][] {
  const signatures = new Map<string, Signature[]>();
  for (const line of family.lines) {
    const { name, signature } = parseSignature(line);
    const known = signatures.get(name);
    if (known === undefined) signatures.set(name, [signature]);
    else known.push(signature);
  }
  return [...signatures].map(([name, list]) => {
    const parts = [...new Set(list.flatMap((signature) => signature.parts ?? []))];
    const spec: FunctionSpec = {
      name,
      kind: family.kind,
      signatures: list,
      parts: parts.length > 0 ? parts : null,
      ...family.allows,
    };
    return [name, spec];
  });
}

/** The function of this name, upper case with its namespace (`NET.HOST`); operators are `$ADD` and so on. */
export function findFunction(name: string): FunctionSpec | undefined {
  return CATALOG.get(name);
}

/** Every function that a query may call, without operators; for documentation and suggestions. */
export function functionNames(): readonly string[] {
  return [...CATALOG.keys()].filter((name) => !name.startsWith('$'));
}

/** Every operator, under the name that a resolved call has. */
export function operatorNames(): readonly string[] {
  return [...CATALOG.keys()].filter((name) => name.startsWith('$'));
}
