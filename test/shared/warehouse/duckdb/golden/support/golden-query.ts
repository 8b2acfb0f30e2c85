/** A query whose plans and DuckDB SQL lie in a golden file. */
export interface GoldenQuery {
  /** What it does; the file's name. */
  readonly name: string;
  /** `stored` is an endpoint's own query; others are consumers' queries over the CTEs of logs.all. */
  readonly language: 'stored' | 'sql' | 'lql';
  readonly text: string;
  /** The parameters of the endpoint whose value is NULL; the others have one. */
  readonly nullParameters?: readonly string[];
}

/** Consumers' SQL by what it does. */
export function sqlQueries(texts: Readonly<Record<string, string>>): readonly GoldenQuery[] {
  return Object.entries(texts).map(([name, text]) => ({ name, language: 'sql', text: text.trim() }));
}
