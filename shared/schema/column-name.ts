/**
 * What BigQuery's names of columns cannot have (cloud.google.com/bigquery/docs/schemas, "Flexible column names"), which
 * GoogleSQL reads between backticks.
 */
export const NOT_IN_COLUMN_NAMES = /[!"$()*,./;?@[\\\]^`{}~\p{Cc}\p{Cs}]/u;
