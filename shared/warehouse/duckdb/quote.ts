/** A name as an SQL identifier of DuckDB; every character of it stands for itself. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Text as an SQL string literal of DuckDB, which knows no escape but the doubled quote. */
export function quoteLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
