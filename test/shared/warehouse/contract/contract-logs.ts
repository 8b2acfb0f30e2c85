import { type TableSchemas, tableSchema } from '../../../../shared/schema/table-schema.ts';

const field = (name: string, type: string, mode = 'NULLABLE') => ({ name, type, mode });

/** One table with records in records, and one without entries. */
export const CONTRACT_TABLES: TableSchemas = new Map([
  [
    'edge_logs',
    tableSchema.parse([
      field('id', 'STRING', 'REQUIRED'),
      field('timestamp', 'TIMESTAMP', 'REQUIRED'),
      field('event_message', 'STRING'),
      field('project', 'STRING'),
      {
        ...field('metadata', 'RECORD', 'REPEATED'),
        fields: [
          field('level', 'STRING'),
          {
            ...field('request', 'RECORD', 'REPEATED'),
            fields: [
              field('path', 'STRING'),
              field('attempts', 'INTEGER'),
              field('tags', 'STRING', 'REPEATED'),
            ],
          },
        ],
      },
    ]),
  ],
  ['auth_logs', tableSchema.parse([field('id', 'STRING'), field('timestamp', 'TIMESTAMP')])],
]);

/** The entries of edge_logs, each as the line that a log file has. */
export const CONTRACT_LINES: readonly string[] = [
  `{"id":"a","timestamp":"2024-01-01T00:00:00Z","event_message":"first","project":"one","metadata":[
    {"level":"info","request":[{"path":"/x","attempts":1,"tags":["p","q"]},{"path":"/y"}]},
    {"level":null,"request":[]}]}`,
  '{"id":"b","timestamp":"2024-01-01T00:00:00.000001Z","event_message":null,"project":"one","metadata":[]}',
  String.raw`{"id":"c","timestamp":"2024-01-02T00:00:00Z","event_message":"it's 203.0.113.7, über \"quoted\" \\ and\nbroken",
    "project":"two","metadata":[{"level":"warn","request":[{"path":"/z","attempts":9007199254740993}]}]}`,
];
