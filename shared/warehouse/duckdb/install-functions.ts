import {
  BIGINT,
  BLOB,
  BOOLEAN,
  DuckDBBlobValue,
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBListValue,
  DuckDBScalarFunction,
  type DuckDBType,
  type DuckDBValue,
  type DuckDBVector,
  LIST,
  VARCHAR,
} from '@duckdb/node-api';
import type { Store } from './store/open-store.ts';
import { RAISED_PREFIX } from './translate/functions/fragments.ts';
import {
  type JavaScriptFunction,
  type JavaScriptType,
  type JavaScriptValue,
  ValueError,
} from './translate/functions/javascript/javascript-function.ts';
import { JAVASCRIPT_FUNCTIONS } from './translate/functions/javascript-functions.ts';
import { MACROS } from './translate/functions/macros.ts';

/** Defines the functions that translated queries call besides DuckDB's own. Before the store is locked. */
export function installFunctions(store: Store): Promise<void> {
  return store.use(defineFunctions);
}

/** The same for the database that a connection belongs to. */
export async function defineFunctions(connection: DuckDBConnection): Promise<void> {
  for (const one of JAVASCRIPT_FUNCTIONS) {
    connection.registerScalarFunction(scalarFunction(one));
    await connection.run(callOf(one));
  }
  for (const macro of MACROS) await connection.run(macro);
}

/** What translations call: it hands text over as its bytes, since the driver drops a byte order mark at the start of text. */
function callOf({ name, parameters }: JavaScriptFunction): string {
  const names = parameters.map((_, index) => `p${index}`);
  const values = parameters.map((type, index) => (type === 'VARCHAR' ? `encode(p${index})` : `p${index}`));
  return `CREATE OR REPLACE MACRO ${name}(${names.join(', ')}) AS ${name}_js(${values.join(', ')})`;
}

const TYPES = {
  BIGINT,
  BLOB,
  BOOLEAN,
  VARCHAR,
  'VARCHAR[]': LIST(VARCHAR),
  'BLOB[]': LIST(BLOB),
} as const satisfies Readonly<Record<JavaScriptType, DuckDBType>>;

function scalarFunction(called: JavaScriptFunction): DuckDBScalarFunction {
  return DuckDBScalarFunction.create({
    name: `${called.name}_js`,
    parameterTypes: called.parameters.map((type) => (type === 'VARCHAR' ? BLOB : TYPES[type])),
    returnType: TYPES[called.result],
    mainFunction: (info, input, output) => {
      try {
        fill(input, output, called);
      } catch (error) {
        info.setError(error instanceof ValueError ? RAISED_PREFIX + error.message : `${called.name} failed`);
      }
    },
  });
}

function fill(
  input: DuckDBDataChunk,
  output: DuckDBVector,
  { parameters, compute }: JavaScriptFunction,
): void {
  const columns = parameters.map((type, index) => ({ type, vector: input.getColumnVector(index) }));
  for (let row = 0; row < input.rowCount; row++) {
    const values = columns.map(({ type, vector }) => fromDuckDb(vector.getItem(row), type));
    output.setItem(row, toDuckDb(values.every(isPresent) ? compute(values) : null));
  }
  output.flush();
}

const isPresent = (value: JavaScriptValue | null): value is JavaScriptValue => value !== null;

function fromDuckDb(value: DuckDBValue, type: JavaScriptType): JavaScriptValue | null {
  if (!(value instanceof DuckDBBlobValue)) return value as JavaScriptValue | null;
  return type === 'VARCHAR' ? Buffer.from(value.bytes).toString() : value.bytes;
}

function toDuckDb(value: JavaScriptValue | null): DuckDBValue {
  if (value instanceof Uint8Array) return new DuckDBBlobValue(value);
  return Array.isArray(value) ? new DuckDBListValue(value.map(toDuckDb)) : (value as DuckDBValue);
}
