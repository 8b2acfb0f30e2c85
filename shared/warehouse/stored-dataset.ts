/** The dataset that stored queries name their tables in, wherever those lie: `logs.edge_logs`. */
export const STORED_DATASET = 'logs';
