/** A dataset of BigQuery. */
export interface DatasetReference {
  readonly project: string;
  readonly dataset: string;
}

/** Reads `dataset` or `project.dataset`; without a project it is the one that runs the queries. */
export function parseDatasetReference(text: string, jobProject: string): DatasetReference {
  // Projects of an organisation's own domain have a dot in their names, datasets have none.
  const dot = text.lastIndexOf('.');
  return dot < 0
    ? { project: jobProject, dataset: text }
    : { project: text.slice(0, dot), dataset: text.slice(dot + 1) };
}
