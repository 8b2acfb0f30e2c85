/** The dataset that stored queries name their tables in, wherever those lie: `logs.edge_logs`. */
export const STORED_DATASET = 'logs';

/** The column of an entry's time, by which tables are sorted and partitioned. */
export const TIME_COLUMN = 'timestamp';

/** The column that says whose an entry is. */
export const PROJECT_COLUMN = 'project';
