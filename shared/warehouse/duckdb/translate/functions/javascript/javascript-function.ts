/** The types of DuckDB that JavaScript functions take and give, with what stands for their values. */
export interface JavaScriptValues {
  readonly BLOB: Uint8Array;
  readonly VARCHAR: string;
  readonly BIGINT: bigint;
  readonly BOOLEAN: boolean;
  /** Lists are results only. */
  readonly 'VARCHAR[]': readonly (string | null)[];
  readonly 'BLOB[]': readonly (Uint8Array | null)[];
}

/** A DuckDB type that a JavaScript function takes or gives. */
export type JavaScriptType = keyof JavaScriptValues;
/** A value that a JavaScript function takes or gives. */
export type JavaScriptValue = JavaScriptValues[JavaScriptType];

/** A function that DuckDB lacks and calls in JavaScript, for translations to name. It is NULL where any argument is. */
export interface JavaScriptFunction {
  readonly name: string;
  readonly parameters: readonly JavaScriptType[];
  readonly result: JavaScriptType;
  /** Computes the value of arguments that are not NULL; null for NULL. Throws `ValueError` for GoogleSQL's errors, nothing else. */
  readonly compute: (values: readonly JavaScriptValue[]) => JavaScriptValue | null;
}

/** An error of GoogleSQL that a value causes, in its own words; the caller reads it. */
export class ValueError extends Error {}

type ValuesOf<Types extends readonly JavaScriptType[]> = {
  readonly [Index in keyof Types]: JavaScriptValues[Types[Index]];
};

/** A JavaScript function of so many parameters. */
export function javaScriptFunction<
  const Parameters extends readonly JavaScriptType[],
  Result extends JavaScriptType,
>(
  name: string,
  parameters: Parameters,
  result: Result,
  compute: (...values: ValuesOf<Parameters>) => JavaScriptValues[Result] | null,
): JavaScriptFunction {
  const takesAll = compute as unknown as (...values: readonly JavaScriptValue[]) => JavaScriptValue | null;
  return { name, parameters, result, compute: (values) => takesAll(...values) };
}

/** A function of text that keeps the answer for the text that was last asked for: rows often ask for one and the same. */
export function forLast<Answer>(compute: (text: string) => Answer): (text: string) => Answer {
  let last: { readonly text: string; readonly answer: Answer } | null = null;
  return (text) => {
    if (last?.text !== text) last = { text, answer: compute(text) };
    return last.answer;
  };
}
