import { ConfigurationError } from '../../errors/configuration-error.ts';
import { type DatasetReference, parseDatasetReference } from './dataset-reference.ts';

/** A table or view of BigQuery. */
export interface TableReference extends DatasetReference {
  readonly table: string;
}

/** Where each source lies: its table or view, or null for a source that is absent, which has no entries. */
export type SourceTables = ReadonlyMap<string, TableReference | null>;

export interface SourceTablesOptions {
  /** The sources that there are. */
  readonly sources: Iterable<string>;
  /** The project that runs the queries. */
  readonly project: string;
  /** Where the other sources are, under their own names: `dataset` or `project.dataset`; null where all are in `logTables`. */
  readonly dataset: string | null;
  /** By source, `dataset.table` or `project.dataset.table`, or null for one that is absent. */
  readonly logTables: ReadonlyMap<string, string | null>;
}

/**
 * Finds the table of each source. Throws a ConfigurationError with a line for each source that there is not, and one for
 * those that nothing says a table for.
 */
export function locateSources({ sources, project, dataset, logTables }: SourceTablesOptions): SourceTables {
  const known = [...sources];
  const unknown = [...logTables.keys()].filter((source) => !known.includes(source));
  const nowhere = dataset === null ? known.filter((source) => !logTables.has(source)) : [];
  const faults = [
    ...unknown.map(
      (source) =>
        `LQE_LOG_TABLES names ${JSON.stringify(source)}, which is no source; the sources are ${known.join(', ')}`,
    ),
    ...(nowhere.length === 0
      ? []
      : [
          `LQE_LOG_TABLES has no table for ${nowhere.join(', ')}; name their tables there (null for a source that is absent), or set LQE_BIGQUERY_DATASET`,
        ]),
  ];
  if (faults.length > 0) throw new ConfigurationError(faults.join('\n'));
  const common = dataset === null ? null : parseDatasetReference(dataset, project);
  return new Map(
    known.map((source): [string, TableReference | null] => {
      const text = logTables.get(source);
      if (text === null) return [source, null];
      if (text !== undefined) return [source, parseTableReference(text, project)];
      return [source, common && { ...common, table: source }];
    }),
  );
}

/** Reads `dataset.table` or `project.dataset.table`; without a project it is the one that runs the queries. */
function parseTableReference(text: string, jobProject: string): TableReference {
  const dot = text.lastIndexOf('.');
  return { ...parseDatasetReference(text.slice(0, dot), jobProject), table: text.slice(dot + 1) };
}

/** A table's whole name, as messages to the operator have it. */
export function tableName({ project, dataset, table }: TableReference): string {
  return `${project}.${dataset}.${table}`;
}

/** The datasets that sources lie in, each once, by their whole names. */
export function datasetsOf(tables: SourceTables): ReadonlyMap<string, DatasetReference> {
  const datasets = new Map<string, DatasetReference>();
  for (const place of tables.values()) {
    if (place === null) continue;
    const { project, dataset } = place;
    datasets.set(`${project}.${dataset}`, { project, dataset });
  }
  return datasets;
}

/** The names of the warehouse that no consumer may write, and that no message to one carries. */
export function insideNamesOf(jobProject: string, tables: SourceTables): readonly string[] {
  const datasets = [...datasetsOf(tables).values()];
  return [...new Set([jobProject, ...datasets.flatMap(({ project, dataset }) => [project, dataset])])];
}
