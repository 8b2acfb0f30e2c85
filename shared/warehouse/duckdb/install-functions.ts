import {
  BIGINT,
  BLOB,
  DuckDBBlobValue,
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBScalarFunction,
  type DuckDBVector,
  VARCHAR,
} from '@duckdb/node-api';
import type { Store } from './store/open-store.ts';
import { JAVASCRIPT_FUNCTIONS, type JavaScriptFunction } from './translate/functions/javascript-functions.ts';
import { MACROS } from './translate/functions/macros.ts';

/** Defines the functions that translated queries call besides DuckDB's own. Before the store is locked. */
export function installFunctions(store: Store): Promise<void> {
  return store.use(defineFunctions);
}

/** The same for the database that a connection belongs to. */
export async function defineFunctions(connection: DuckDBConnection): Promise<void> {
  for (const one of JAVASCRIPT_FUNCTIONS) connection.registerScalarFunction(scalarFunction(one));
  for (const macro of MACROS) await connection.run(macro);
}

const TYPES = { BIGINT, BLOB, VARCHAR };

function scalarFunction({ name, result, compute }: JavaScriptFunction): DuckDBScalarFunction {
  return DuckDBScalarFunction.create({
    name,
    parameterTypes: [BLOB],
    returnType: TYPES[result],
    mainFunction: (info, input, output) => {
      try {
        fill(input, output, compute);
      } catch {
        info.setError(`${name} failed`);
      }
    },
  });
}

function fill(input: DuckDBDataChunk, output: DuckDBVector, compute: JavaScriptFunction['compute']): void {
  const values = input.getColumnVector(0);
  for (let row = 0; row < input.rowCount; row++) {
    const value = values.getItem(row);
    const answer = value instanceof DuckDBBlobValue ? compute(value.bytes) : null;
    output.setItem(row, answer instanceof Uint8Array ? new DuckDBBlobValue(answer) : answer);
  }
  output.flush();
}
