import { createRequire } from 'node:module';
import type { Parser } from 'node-sql-parser';

const require = createRequire(import.meta.url);
const { Parser: BigQueryParser }: { Parser: typeof Parser } = require('node-sql-parser/build/bigquery.js');

/**
 * The tables of a query as node-sql-parser sees them, each as its path, arrays by their path from an alias included;
 * null for a query that it cannot read. Deep nesting takes it exponential time: for texts of our own only.
 */
export function witnessTables(text: string): readonly (readonly string[])[] | null {
  try {
    return new BigQueryParser().tableList(text, { database: 'bigquery' }).map((entry) => {
      const [, ...path] = entry.split('::');
      return path.filter((name) => name !== 'null');
    });
  } catch {
    return null;
  }
}
