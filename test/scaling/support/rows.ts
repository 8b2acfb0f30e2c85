import { findFunction, functionNames, operatorNames } from '../../../shared/sql/functions/catalog.ts';
import type {
  ArgumentPattern,
  FunctionSpec,
  PatternType,
  Signature,
} from '../../../shared/sql/functions/signature.ts';
import { isTranslated } from '../../../shared/warehouse/duckdb/translate/functions/translate-call.ts';
import type { SizedQuery } from './judge.ts';
import { typesOf } from './values.ts';
import { writeCall } from './write-call.ts';

export interface RowCalls {
  readonly name: string;
  readonly queries: readonly SizedQuery[];
}

/** Values of each type for a row `x`, and NULLs among them. */
const ROW_VALUES: Readonly<Record<string, string>> = {
  BOOL: 'x > 5',
  INT64: 'x',
  FLOAT64: 'x / 3',
  NUMERIC: 'CAST(x AS NUMERIC)',
  BIGNUMERIC: 'CAST(x AS BIGNUMERIC)',
  STRING: 'CAST(x AS STRING)',
  BYTES: 'CAST(CAST(x AS STRING) AS BYTES)',
  INTERVAL: 'MAKE_INTERVAL(0, 0, MOD(x, 9), 0, 0, 0)',
  'ARRAY<INT64>': '[x]',
  'ARRAY<STRING>': '[CAST(x AS STRING)]',
  'ARRAY<FLOAT64>': '[CAST(x AS FLOAT64)]',
  JSON: "JSON '1'",
};

/** What has to be a literal, or another value than the row's. */
const PLACES: readonly (readonly [RegExp, number, string])[] = [
  [/^APPROX_/, 1, '100'],
  [/^PERCENTILE_/, 1, '0.5'],
  [/^(?:LAG|LEAD)$/, 1, '1000'],
  [/^NTH_VALUE$/, 1, '1000'],
  [/^NTILE$/, 0, '7'],
  [/^STRING_AGG$/, 1, "','"],
];

const FRAMES = [
  'ORDER BY x',
  'ORDER BY x ROWS BETWEEN 1000 PRECEDING AND 1000 FOLLOWING',
  'ORDER BY x ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING',
  'PARTITION BY MOD(x, 3) ORDER BY x DESC',
];

/** Calls of each aggregate and window function over many rows, in each way in which it may be called. */
export function rowCalls(): readonly RowCalls[] {
  return [...functionNames(), ...operatorNames()]
    .filter((name) => isTranslated(name) && !findFunction(name)?.takesGroupKey)
    .flatMap((name) => {
      const spec = findFunction(name);
      if (spec === undefined || spec.kind === 'scalar') return [];
      return spec.signatures.map((signature) => ({
        name: signature.text,
        queries: calls(spec, signature).map(
          (call): SizedQuery =>
            (rows) =>
              `SELECT COUNT(TO_JSON_STRING(v)) FROM (${call(rows)})`,
        ),
      }));
    });
}

function calls(spec: FunctionSpec, signature: Signature): readonly ((rows: number) => string)[] {
  const required = signature.arguments.filter(({ optional }) => !optional);
  const plain = required.map((argument, index) => rowValue(spec.name, argument, index));
  const call = writeCall(spec.name, signature, plain);
  const inside = (extra: string) => `${call.slice(0, -1)} ${extra})`;
  const source = (rows: number) => `FROM UNNEST(GENERATE_ARRAY(1, ${rows})) AS x`;
  const made: ((rows: number) => string)[] = [];
  if (spec.kind === 'aggregate') {
    made.push(
      (rows) => `SELECT ${call} AS v ${source(rows)}`,
      (rows) => `SELECT ${call} AS v ${source(rows)} GROUP BY MOD(x, 1000)`,
    );
    if (spec.allowsDistinct) {
      const [first = '', ...others] = plain;
      const distinct = writeCall(spec.name, signature, [`DISTINCT ${first}`, ...others]);
      made.push((rows) => `SELECT ${distinct} AS v ${source(rows)}`);
      if (spec.allowsOver)
        made.push((rows) => `SELECT ${distinct} OVER (PARTITION BY MOD(x, 100)) AS v ${source(rows)}`);
    }
    if (spec.allowsOrderBy) made.push((rows) => `SELECT ${inside('ORDER BY x DESC')} AS v ${source(rows)}`);
  }
  if (!spec.allowsOver) return made;
  const frames = FRAMES.filter(
    (frame) =>
      (spec.allowsFrame || !frame.includes('ROWS')) && (spec.allowsWindowOrder || !frame.includes('ORDER')),
  );
  const windows = spec.needsOrder ? frames : ['', ...frames];
  for (const window of windows) {
    made.push((rows) => `SELECT ${call} OVER (${window}) AS v ${source(rows)}`);
    if (spec.allowsNulls && spec.kind === 'window')
      made.push(
        (rows) =>
          `SELECT ${ignoringNulls(spec.name, signature, plain)} OVER (${window}) AS v ${source(rows)}`,
      );
  }
  return made;
}

/** The most that there is to pass over: no row has a value. */
function ignoringNulls(
  name: string,
  signature: Signature,
  [first = '', ...others]: readonly string[],
): string {
  const list = writeCall(name, signature, [`IF(x < 0, ${first}, NULL)`, ...others]);
  return `${list.slice(0, -1)} IGNORE NULLS)`;
}

function rowValue(name: string, { pattern }: ArgumentPattern, index: number): string {
  const place = PLACES.find(([names, at]) => at === index && names.test(name))?.[2];
  return place ?? ROW_VALUES[typeOf(pattern)] ?? 'x';
}

function typeOf(pattern: PatternType): string {
  return typesOf(pattern)[0] ?? 'INT64';
}
