import { type GrpcError, type MethodName, type OracleVersion, startServer } from './server.ts';
import { type OracleNode, toTree } from './tree.ts';

/** What the oracle makes of a text: its parse tree, or why it refuses it. */
export type Reading =
  | { readonly kind: 'accepted'; readonly tree: OracleNode }
  | { readonly kind: 'refused'; readonly message: string }
  /** The oracle itself failed: its process died, or it gave up on its own bug. */
  | { readonly kind: 'failed'; readonly message: string };

/** Google's own parser of GoogleSQL. */
export interface Oracle {
  readonly version: OracleVersion;
  /** Reads one statement. */
  parse(sql: string): Promise<Reading>;
  /** The tables a query reads that are no CTE in scope and no path into a range variable; null if it does not parse. */
  tableNames(sql: string): Promise<readonly (readonly string[])[] | null>;
  close(): void;
}

const INVALID_ARGUMENT = 3;
const UNAVAILABLE = 14;

/** Starts the oracle with all features of the language on, and starts it again whenever a query brings it down. */
export async function startOracle(version: OracleVersion): Promise<Oracle> {
  let server = await startServer(version);
  const options = await server.invoke('GetLanguageOptions', { maximum_features: true });
  let restarting: Promise<void> | null = null;
  const restart = async (gone: typeof server) => {
    if (server !== gone) return;
    restarting ??= (async () => {
      gone.stop();
      server = await startServer(version);
      restarting = null;
    })();
    await restarting;
  };
  const ask = async (method: MethodName, sql: string): Promise<Answer> => {
    const asked = server;
    try {
      return { answer: await asked.invoke(method, { sql_statement: sql, options }) };
    } catch (error) {
      const { code, details } = error as GrpcError;
      if (code === INVALID_ARGUMENT) return { refusal: details };
      if (code === UNAVAILABLE) await restart(asked);
      return { failure: `oracle error ${code}: ${details}` };
    }
  };
  return {
    version,
    async parse(sql) {
      const { answer, refusal, failure } = await ask('Parse', sql);
      if (failure !== undefined) return { kind: 'failed', message: failure };
      if (refusal !== undefined) return { kind: 'refused', message: refusal };
      const { parsed_statement } = answer as { parsed_statement: Record<string, unknown> };
      return { kind: 'accepted', tree: toTree(parsed_statement, 'statement') };
    },
    async tableNames(sql) {
      const { answer } = await ask('ExtractTableNamesFromStatement', sql);
      if (answer === undefined) return null;
      const { table_name = [] } = answer as { table_name?: { table_name_segment: string[] }[] };
      return table_name.map((name) => name.table_name_segment);
    },
    close: () => server.stop(),
  };
}

interface Answer {
  readonly answer?: unknown;
  readonly refusal?: string;
  readonly failure?: string;
}
