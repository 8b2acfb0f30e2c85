import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type TableSchemas, tableSchema } from '../../../../../../shared/schema/table-schema.ts';
import { makeDuckDbWarehouse } from '../../../../../../shared/warehouse/duckdb/duckdb-warehouse.ts';
import { installFunctions } from '../../../../../../shared/warehouse/duckdb/install-functions.ts';
import { loadEntries } from '../../../../../../shared/warehouse/duckdb/loading/load-logs.ts';
import type { Presence, TableLayout } from '../../../../../../shared/warehouse/duckdb/store/layout.ts';
import { openStore } from '../../../../../../shared/warehouse/duckdb/store/open-store.ts';
import type { Warehouse } from '../../../../../../shared/warehouse/warehouse.ts';
import { layOut } from './support/flat-tables.ts';

const leaf = (name: string, type = 'STRING', mode = 'NULLABLE') => ({ name, type, mode });
const record = (name: string, mode: string, fields: readonly unknown[]) => ({
  name,
  type: 'RECORD',
  mode,
  fields,
});

const SCHEMA = tableSchema.parse([
  leaf('id', 'STRING', 'REQUIRED'),
  leaf('timestamp', 'TIMESTAMP', 'REQUIRED'),
  leaf('event_message'),
  record('metadata', 'REPEATED', [
    leaf('project'),
    leaf('level'),
    leaf('big', 'INTEGER'),
    leaf('ratio', 'FLOAT'),
    leaf('labels', 'STRING', 'REPEATED'),
    record('request', 'REPEATED', [
      leaf('path'),
      leaf('level'),
      leaf('bytes', 'INTEGER'),
      record('headers', 'REPEATED', [leaf('host'), leaf('cookie')]),
    ]),
    record('response', 'NULLABLE', [
      leaf('status', 'INTEGER'),
      record('origin', 'NULLABLE', [leaf('ms', 'INTEGER')]),
    ]),
    record('hits', 'REPEATED', [leaf('k'), leaf('v', 'INTEGER')]),
  ]),
  record('geo', 'NULLABLE', [
    leaf('country'),
    record('point', 'NULLABLE', [leaf('lat', 'FLOAT'), leaf('at', 'TIMESTAMP')]),
  ]),
]);

const FLAT: ReadonlyMap<string, Presence> = new Map([
  ['metadata', 'sometimes'],
  ['metadata.request', 'sometimes'],
  ['metadata.request.headers', 'sometimes'],
  ['metadata.response', 'sometimes'],
  ['metadata.response.origin', 'sometimes'],
  ['geo', 'sometimes'],
  ['geo.point', 'sometimes'],
]);

const request = (path: string | null, more: object = {}) => ({ path, level: `l${path}`, bytes: 12, ...more });

/** What the records of entries are, at every level: missing, there, empty, of NULL alone. */
const RECORDS: readonly object[] = [
  {},
  { metadata: [] },
  { metadata: [{}] },
  { metadata: [{ request: [] }] },
  { metadata: [{ request: [{}], response: {} }], geo: {} },
  {
    metadata: [{ project: 'a', level: 'info', big: '9007199254740993', ratio: 1e300, labels: ['x', 'y'] }],
    geo: { country: 'DE', point: {} },
  },
  {
    metadata: [
      {
        project: 'a',
        request: [request('/rest/v1')],
        response: { status: 200, origin: { ms: 3 } },
        hits: [{ k: 'p', v: 1 }],
      },
    ],
  },
  {
    metadata: [
      {
        project: 'b',
        ratio: 0.25,
        request: [request('/auth/v1', { headers: [{ host: 'h', cookie: 'c"é' }] })],
        response: { status: 500 },
        hits: [
          { k: 'p', v: 1 },
          { k: 'q', v: 2 },
        ],
      },
    ],
    geo: { country: 'NZ', point: { lat: -41.5, at: '2024-05-05T05:05:05Z' } },
  },
  {
    metadata: [
      { project: 'b', request: [request('/rest/v2', { headers: [{}] })], response: null, labels: [] },
    ],
    geo: { country: null },
  },
  {
    metadata: [{ level: 'warn', request: [request('not a number')], response: { origin: {} } }],
    geo: { point: { lat: 0 } },
  },
];

/** Entries that have a record twice, at some level. */
const REPEATED: readonly object[] = [
  { metadata: [{ project: 'a', request: [request('/one')] }, { project: 'b' }] },
  {
    metadata: [
      {
        project: 'a',
        request: [request('/rest/v1'), request('/two', { headers: [{ host: 'x' }, { host: 'y' }] })],
      },
    ],
    geo: { country: 'DE' },
  },
  { metadata: [{}, {}, { hits: [{ k: 'z', v: 9 }] }] },
];

function linesOf(records: readonly object[]): readonly string[] {
  return records.map((values, index) => {
    const timestamp = `2024-01-${String(1 + Math.floor(index / 2)).padStart(2, '0')}T00:00:00Z`;
    const entry = {
      id: `e${index}`,
      timestamp,
      event_message: index % 3 === 0 ? null : `m${index}`,
      ...values,
    };
    return JSON.stringify(entry).replace('"9007199254740993"', '9007199254740993');
  });
}

const M = 'CROSS JOIN UNNEST(t.metadata) AS m';
const R = `${M} CROSS JOIN UNNEST(m.request) AS r`;

/** Queries over a table `logs.T`, whose rows have an order or are one. */
const QUERIES: readonly string[] = [
  'WITH RECURSIVE r AS (SELECT id, metadata, geo, 1 AS n FROM logs.T UNION ALL SELECT id, metadata, geo, n + 1 FROM r WHERE n < 3) SELECT * FROM r ORDER BY id, n',
  'WITH RECURSIVE r AS (SELECT t.id, q.path, 1 AS n FROM logs.T t, t.metadata m, m.request q UNION ALL SELECT r.id, q.path, n + 1 FROM r JOIN logs.T t ON t.id = r.id, t.metadata m, m.request q WHERE n < 2) SELECT id, path, n, COUNT(*) FROM r GROUP BY 1, 2, 3 ORDER BY id, n, path',
  'WITH RECURSIVE r AS (SELECT geo, geo.country AS c FROM logs.T UNION DISTINCT SELECT geo, c FROM r) SELECT geo.point.lat, c FROM r ORDER BY 1, 2',
  'SELECT * FROM logs.T ORDER BY id',
  'SELECT metadata FROM logs.T ORDER BY id',
  'SELECT id, metadata, geo FROM logs.T ORDER BY timestamp DESC, id LIMIT 4',
  'SELECT geo, id FROM logs.T ORDER BY id',
  'SELECT id, geo, PARSE_JSON(\'{"a":1.50}\') AS j, metadata FROM logs.T ORDER BY id',
  'SELECT id, timestamp, metadata AS x FROM logs.T WHERE event_message IS NOT NULL ORDER BY id DESC LIMIT 3 OFFSET 1',
  'SELECT id, TO_JSON_STRING(metadata) AS j FROM logs.T ORDER BY id',
  'SELECT id, TO_JSON_STRING(t) AS j FROM logs.T AS t ORDER BY id',
  `SELECT t.id, m FROM logs.T AS t ${M} ORDER BY id`,
  `SELECT t.id, m.* FROM logs.T AS t ${M} ORDER BY id, project`,
  `SELECT t.id, r FROM logs.T AS t ${R} ORDER BY id, r.path`,
  `SELECT t.id, m.request, m.response, m.hits, m.labels FROM logs.T AS t ${M} ORDER BY id, project`,
  'SELECT t.id, m, o FROM logs.T AS t LEFT JOIN UNNEST(t.metadata) AS m WITH OFFSET AS o ORDER BY id, o',
  'SELECT t.id, o FROM logs.T AS t LEFT JOIN UNNEST(t.metadata) AS m WITH OFFSET AS o ORDER BY o DESC, id',
  'SELECT t.id, o FROM logs.T AS t LEFT JOIN UNNEST(t.metadata) AS m WITH OFFSET AS o ORDER BY o, id LIMIT 3',
  "SELECT t.id, o, p FROM logs.T AS t LEFT JOIN UNNEST(t.metadata) AS m WITH OFFSET AS o ON m.project = 'a' LEFT JOIN UNNEST(m.request) AS r WITH OFFSET AS p ORDER BY p DESC, o, id",
  'SELECT * FROM (SELECT t.id, o FROM logs.T AS t, UNNEST(t.metadata) AS m WITH OFFSET AS o UNION ALL SELECT t.id, o FROM logs.T AS t LEFT JOIN UNNEST(t.metadata) AS m WITH OFFSET AS o) ORDER BY o, id',
  'SELECT t.id, m.request, m.labels, m.hits, m.request IS NULL AS n, ARRAY_LENGTH(m.request) AS l, ARRAY_LENGTH(m.labels) AS ll FROM logs.T AS t LEFT JOIN UNNEST(t.metadata) AS m ORDER BY id, m.project',
  'SELECT t.id, r.path, r, h.host FROM logs.T AS t LEFT JOIN UNNEST(t.metadata) AS m LEFT JOIN UNNEST(m.request) AS r LEFT JOIN UNNEST(r.headers) AS h ORDER BY id, r.path, h.host',
  `SELECT t.id, r.path, R.LEVEL AS a, M.Level AS b, o FROM logs.T AS t ${M} CROSS JOIN UNNEST(m.request) AS r WITH OFFSET AS o ORDER BY id, o, path`,
  `SELECT t.id, k.k, o FROM logs.T AS t ${M} CROSS JOIN UNNEST(m.hits) AS k WITH OFFSET AS o ORDER BY id, o, k`,
  `SELECT t.id, l FROM logs.T AS t ${M} CROSS JOIN UNNEST(m.labels) AS l ORDER BY id, l`,
  `SELECT m.response.status, COUNT(*) AS n FROM logs.T AS t ${M} GROUP BY 1 ORDER BY 1`,
  `SELECT r.path, COUNT(*) AS n, COUNT(r) AS c, COUNT(m.response) AS d FROM logs.T AS t LEFT JOIN UNNEST(t.metadata) AS m LEFT JOIN UNNEST(m.request) AS r GROUP BY path ORDER BY path`,
  'SELECT COUNT(*) AS n FROM logs.T',
  'SELECT COUNT(DISTINCT m.project) AS n FROM logs.T AS t CROSS JOIN UNNEST(t.metadata) AS m',
  'SELECT id FROM logs.T AS t ORDER BY EXISTS (SELECT 1 FROM UNNEST(t.metadata) AS m WHERE EXISTS (SELECT 1 FROM UNNEST(m.request) AS r WHERE r.bytes > 3)), id',
  `SELECT t.id, m.project FROM logs.T AS t ${M} ORDER BY (SELECT COUNT(r.path) FROM UNNEST(m.request) AS r) DESC, (SELECT MAX(l) FROM UNNEST(m.labels) AS l), id, project LIMIT 5`,
  'SELECT id, geo.country, geo.point.lat, geo.point FROM logs.T ORDER BY id',
  'SELECT id, geo IS NULL AS a, geo IS NOT NULL AS b, geo.point IS NULL AS c, metadata IS NULL AS d FROM logs.T ORDER BY id',
  'SELECT id FROM logs.T WHERE geo IS NOT NULL AND geo.point IS NULL ORDER BY id',
  'SELECT id, ARRAY_LENGTH(metadata) AS n, (SELECT COUNT(*) FROM UNNEST(metadata)) AS c FROM logs.T ORDER BY id',
  'SELECT id, metadata[SAFE_OFFSET(0)].project AS p, metadata[SAFE_ORDINAL(1)].request[SAFE_OFFSET(0)].path AS q, metadata[SAFE_OFFSET(1)].project AS s, metadata[SAFE_OFFSET(0)] AS w FROM logs.T ORDER BY id',
  'SELECT id, metadata[OFFSET(0)].project AS p FROM logs.T ORDER BY id',
  'SELECT id, metadata[OFFSET(0)].request[ORDINAL(1)].path AS p FROM logs.T WHERE ARRAY_LENGTH(metadata) > 0 ORDER BY id',
  'SELECT id, metadata[OFFSET(0)].request[ORDINAL(1)].path AS p FROM logs.T WHERE EXISTS (SELECT 1 FROM UNNEST(metadata) AS m, UNNEST(m.request)) ORDER BY id',
  'SELECT id, metadata[OFFSET(0)] AS p FROM logs.T WHERE ARRAY_LENGTH(metadata) = 1 ORDER BY id',
  'SELECT id, metadata[OFFSET(0)].response.status AS p FROM logs.T WHERE ARRAY_LENGTH(metadata) = 1 ORDER BY id',
  "SELECT id FROM logs.T WHERE EXISTS (SELECT 1 FROM UNNEST(metadata) AS m, UNNEST(m.request) AS r WHERE REGEXP_CONTAINS(r.path, '/rest')) ORDER BY id",
  "SELECT id FROM logs.T WHERE NOT EXISTS (SELECT 1 FROM UNNEST(metadata) AS m, UNNEST(m.request) AS r WHERE r.path LIKE '/rest%') ORDER BY id",
  'SELECT id, EXISTS (SELECT 1 FROM UNNEST(metadata) AS m WHERE m.level IS NULL) AS e, EXISTS (SELECT 1 FROM UNNEST(metadata)) AS f, EXISTS (SELECT 1 FROM UNNEST(metadata) AS m LEFT JOIN UNNEST(m.request) AS r WHERE r.path IS NULL) AS g FROM logs.T ORDER BY id',
  "SELECT id, EXISTS (SELECT 1 FROM UNNEST(metadata) AS m, UNNEST(m.hits) AS h WHERE h.k = 'p') AS e, EXISTS (SELECT 1 FROM UNNEST(metadata) AS m, UNNEST(m.labels) AS l WHERE l = 'x') AS f FROM logs.T ORDER BY id",
  "SELECT id, (SELECT m.project FROM UNNEST(metadata) AS m ORDER BY m.project LIMIT 1) AS p, (SELECT AS STRUCT m.project, m.request FROM UNNEST(metadata) AS m LIMIT 1) AS s FROM logs.T WHERE id < 'e9' ORDER BY id",
  'SELECT id, ARRAY(SELECT m.level FROM UNNEST(metadata) AS m WHERE m.level IS NOT NULL) AS p, ARRAY(SELECT AS STRUCT m.project, r.path FROM UNNEST(metadata) AS m, UNNEST(m.request) AS r) AS s, ARRAY(SELECT l FROM UNNEST(metadata) AS m, UNNEST(m.labels) AS l ORDER BY l DESC) AS l FROM logs.T ORDER BY id',
  "SELECT id, 'a' IN (SELECT m.project FROM UNNEST(metadata) AS m) AS p, event_message IN (SELECT l FROM UNNEST(metadata) AS m, UNNEST(m.labels) AS l) AS l, 'x' IN UNNEST(metadata[SAFE_OFFSET(0)].labels) AS u FROM logs.T ORDER BY id",
  "SELECT id, (SELECT SUM(h.v) FROM UNNEST(metadata) AS m, UNNEST(m.hits) AS h) AS s, (SELECT MAX(r.bytes) FROM UNNEST(metadata) AS m, UNNEST(m.request) AS r WHERE r.path > '/b') AS x, (SELECT COUNTIF(m.level = 'info') FROM UNNEST(metadata) AS m) AS c, (SELECT COUNT(m.level) + 1 FROM UNNEST(metadata) AS m) AS d, (SELECT STRING_AGG(r.path, ',' ORDER BY r.path) FROM UNNEST(metadata) AS m, UNNEST(m.request) AS r) AS g FROM logs.T ORDER BY id",
  'WITH a AS (SELECT id, timestamp, metadata FROM logs.T ORDER BY timestamp DESC) SELECT id, metadata FROM a ORDER BY id',
  `WITH a AS (SELECT m.level AS k FROM logs.T AS t ${M} WHERE STARTS_WITH(m.level, 'a')) SELECT COUNT(*) AS n, COUNT(*) AS o FROM a`,
  `WITH a AS (SELECT m.level AS k, MAX(t.id) AS i, LOGICAL_OR(m.project IS NULL) AS l FROM logs.T AS t ${M} GROUP BY k) SELECT t.id FROM logs.T AS t LEFT JOIN UNNEST(t.metadata) AS m WHERE EXISTS (SELECT 1 FROM a WHERE a.i = t.id) ORDER BY id`,
  `WITH a AS (SELECT t.id AS i, t.id AS j, MAX(m.level) AS l FROM logs.T AS t LEFT JOIN UNNEST(t.metadata) AS m GROUP BY i, j) SELECT a.i, m.project FROM logs.T AS t CROSS JOIN UNNEST(t.metadata) AS m INNER JOIN a ON t.id = a.i AND a.l IS NOT NULL ORDER BY i, project`,
  `WITH a AS (SELECT id, metadata, geo FROM logs.T) SELECT x.id, y.geo, m.project FROM a AS x JOIN a AS y ON x.id = y.id CROSS JOIN UNNEST(x.metadata) AS m ORDER BY id, project`,
  `WITH a AS (SELECT t.id, m, r.path FROM logs.T AS t ${M} LEFT JOIN UNNEST(m.request) AS r LIMIT 1000) SELECT a.id, a.m.level, b.m.project, a.path, b.m FROM a LEFT JOIN a AS b ON a.id = b.id AND b.m.project = 'a' ORDER BY a.id, a.path, b.m.project`,
  `SELECT a.id, b.metadata, b.geo, m.level, n FROM logs.T AS a LEFT JOIN (SELECT id, metadata, geo, 1 AS n FROM logs.T WHERE geo IS NOT NULL) AS b ON a.id = b.id LEFT JOIN UNNEST(b.metadata) AS m ORDER BY a.id, m.level`,
  'SELECT a.id, b.geo IS NULL AS g, ARRAY_LENGTH(b.metadata) AS l, b.metadata IS NULL AS n, EXISTS (SELECT 1 FROM UNNEST(b.metadata)) AS e, b.geo.country FROM logs.T AS a LEFT JOIN logs.T AS b ON a.id = b.id AND b.geo.country IS NOT NULL ORDER BY a.id',
  `SELECT a.id, m FROM logs.T AS a FULL JOIN (SELECT t.id, m FROM logs.T AS t ${M} WHERE m.level IS NOT NULL) AS b ON a.id = b.id ORDER BY a.id, b.m.level`,
  "SELECT id, metadata FROM logs.T UNION ALL SELECT CONCAT('z', id), metadata FROM logs.T ORDER BY id",
  "SELECT id, ARRAY_LENGTH(metadata) AS n FROM (SELECT id, metadata FROM logs.T UNION ALL SELECT id, metadata FROM logs.T WHERE id > 'e3') ORDER BY id, n",
  'SELECT x.id, m.project, m.request FROM (SELECT id, metadata FROM logs.T UNION ALL SELECT id, [] FROM logs.T) AS x LEFT JOIN UNNEST(x.metadata) AS m ORDER BY id, m.project, ARRAY_LENGTH(m.request)',
  'SELECT x.id, g.country, g.point, g IS NULL AS n FROM (SELECT id, geo AS g FROM logs.T UNION ALL SELECT id, NULL FROM logs.T) AS x ORDER BY id, g.country, n',
  `SELECT m.project FROM logs.T AS t ${M} EXCEPT DISTINCT SELECT m.level FROM logs.T AS t ${M} ORDER BY 1`,
  `SELECT DISTINCT m.project, m.response.status FROM logs.T AS t ${M} ORDER BY 1, 2`,
  'SELECT id, ROW_NUMBER() OVER (PARTITION BY m.project ORDER BY t.id) AS n, LAG(m) OVER (ORDER BY t.id, m.project) AS p FROM logs.T AS t CROSS JOIN UNNEST(t.metadata) AS m ORDER BY id, m.project, n',
  "SELECT ANY_VALUE(metadata) AS v, ARRAY_AGG(geo IGNORE NULLS ORDER BY id) AS g FROM logs.T WHERE id = 'e7'",
  'FROM logs.T AS t |> CROSS JOIN UNNEST(t.metadata) AS m |> WHERE m.level IS NOT NULL |> AGGREGATE COUNT(*) AS n GROUP BY m.level |> ORDER BY level',
  'SELECT AS STRUCT id, metadata, geo FROM logs.T ORDER BY id',
  'SELECT AS VALUE geo FROM logs.T ORDER BY id',
  "SELECT id, IFNULL((SELECT CAST(r.path AS INT64) FROM UNNEST(metadata) AS m, UNNEST(m.request) AS r), 0) AS n FROM logs.T WHERE id = 'e9'",
  "SELECT id, EXISTS (SELECT 1 FROM UNNEST(metadata) AS m WHERE IF(m.project IS NULL, CAST(t.event_message AS INT64) = 1, TRUE)) AS e FROM logs.T AS t WHERE id IN ('e0', 'e1', 'e6', 'e7') ORDER BY id",
  "SELECT id FROM logs.T AS t, UNNEST(metadata) AS m WHERE IF(m.project IS NULL, CAST(t.event_message AS INT64) = 1, TRUE) AND id IN ('e0', 'e1', 'e6', 'e7') ORDER BY id",
  'SELECT t.id, m.project, r.path FROM logs.T AS t LEFT JOIN UNNEST(t.metadata) AS m ON m.level IS NOT NULL LEFT JOIN UNNEST(m.request) AS r ON r.bytes > 3 ORDER BY id, m.project',
  "SELECT t.id, m, r.path, h, o FROM logs.T AS t LEFT JOIN UNNEST(t.metadata) AS m ON m.level > 'a' LEFT JOIN UNNEST(m.request) AS r ON r.path <> t.id LEFT JOIN UNNEST(r.headers) AS h WITH OFFSET AS o ON h.host IS NOT NULL ORDER BY id, r.path, m.project, o",
  'SELECT t.id, r.path, r.headers, r IS NULL AS n, ARRAY_LENGTH(r.headers) AS l, EXISTS (SELECT 1 FROM UNNEST(r.headers)) AS e FROM logs.T AS t LEFT JOIN UNNEST(t.metadata) AS m LEFT JOIN UNNEST(m.request) AS r ON r.bytes = 12 ORDER BY id, r.path, m.project',
  "SELECT t.id, r.path, q.path AS p FROM logs.T AS t LEFT JOIN UNNEST(t.metadata) AS m ON m.project = 'a' AND t.event_message IS NOT NULL LEFT JOIN UNNEST(m.request) AS r LEFT JOIN (SELECT u.id, v.path FROM logs.T AS u LEFT JOIN UNNEST(u.metadata) AS w LEFT JOIN UNNEST(w.request) AS v ON v.bytes > 3) AS q ON q.id = t.id AND q.path = r.path ORDER BY id, r.path, p, m.project",
  "SELECT t.id, x.project FROM logs.T AS t CROSS JOIN UNNEST(ARRAY(SELECT m FROM UNNEST(t.metadata) AS m WHERE m.project = 'a')) AS x ORDER BY id",
  "SELECT t.id, x.response.status, o FROM logs.T AS t LEFT JOIN UNNEST(ARRAY(SELECT m FROM UNNEST(t.metadata) AS m WHERE m.project = 'a')) AS x WITH OFFSET AS o ORDER BY id, o",
  'SELECT t.id, m.project FROM logs.T AS t LEFT JOIN UNNEST(t.metadata) AS m ON CAST(m.big AS INT64) / IFNULL(m.big, 0) = 1 ORDER BY id, project',
  'SELECT id, (SELECT COUNT(r.path) FROM UNNEST(t.metadata) AS m LEFT JOIN UNNEST(m.request) AS r ON r.bytes > 3) AS n, ARRAY(SELECT AS STRUCT r.path, h.host FROM UNNEST(t.metadata) AS m LEFT JOIN UNNEST(m.request) AS r ON r.bytes > 3 LEFT JOIN UNNEST(r.headers) AS h) AS a, ARRAY(SELECT r FROM UNNEST(t.metadata) AS m JOIN UNNEST(m.request) AS r ON r.bytes > 3) AS b FROM logs.T AS t ORDER BY id',
  "SELECT COUNT(*) AS n, COUNT(r.path) AS p FROM logs.T AS t LEFT JOIN UNNEST(t.metadata) AS m LEFT JOIN UNNEST(m.request) AS r ON r.path LIKE '/rest%'",
  "WITH a AS (SELECT * REPLACE (ARRAY(SELECT AS STRUCT m.* REPLACE (IF(m.project IS NULL, NULL, 'R') AS project, 'c' AS level, ARRAY(SELECT AS STRUCT r.* REPLACE (IF(r.path IS NULL, NULL, 'R') AS path, CONCAT(t.id, m.project) AS level) FROM UNNEST(m.request) AS r WITH OFFSET AS p ORDER BY p) AS request) FROM UNNEST(t.metadata) AS m WITH OFFSET AS o ORDER BY o) AS metadata) FROM logs.T AS t) SELECT a.id, m.project, m.level, r.path, r.level AS l, r.bytes, h.host FROM a LEFT JOIN UNNEST(a.metadata) AS m LEFT JOIN UNNEST(m.request) AS r LEFT JOIN UNNEST(r.headers) AS h ORDER BY id, r.path, r.level, m.level, r.bytes, h.host",
  "WITH a AS (SELECT * REPLACE (ARRAY(SELECT AS STRUCT m.* REPLACE (IF(m.project IS NULL, NULL, 'R') AS project, 'c' AS level, ARRAY(SELECT AS STRUCT r.* REPLACE (IF(r.path IS NULL, NULL, 'R') AS path, CONCAT(t.id, m.project) AS level) FROM UNNEST(m.request) AS r WITH OFFSET AS p ORDER BY p) AS request) FROM UNNEST(t.metadata) AS m WITH OFFSET AS o ORDER BY o) AS metadata) FROM logs.T AS t) SELECT a.id, ARRAY_LENGTH(a.metadata) AS n, a.metadata[SAFE_OFFSET(0)].request[SAFE_OFFSET(0)].level AS l, a.metadata[SAFE_OFFSET(0)].request AS r, a.metadata[SAFE_OFFSET(0)].level AS v, EXISTS (SELECT 1 FROM UNNEST(a.metadata) AS m, UNNEST(m.request) AS r WHERE r.path = 'R') AS e, a.metadata IS NULL AS z FROM a ORDER BY id",
  "WITH a AS (SELECT * REPLACE (ARRAY(SELECT AS STRUCT m.* REPLACE (IF(m.project IS NULL, NULL, 'R') AS project, 'c' AS level, ARRAY(SELECT AS STRUCT r.* REPLACE (IF(r.path IS NULL, NULL, 'R') AS path, CONCAT(t.id, m.project) AS level) FROM UNNEST(m.request) AS r WITH OFFSET AS p ORDER BY p) AS request) FROM UNNEST(t.metadata) AS m WITH OFFSET AS o ORDER BY o) AS metadata) FROM logs.T AS t) SELECT a.id, r.level, b.metadata, m.project FROM a LEFT JOIN (SELECT * FROM a WHERE id > 'e3') AS b ON a.id = b.id LEFT JOIN UNNEST(b.metadata) AS m ON m.level = 'c' LEFT JOIN UNNEST(m.request) AS r ON r.bytes = 12 ORDER BY id, r.level, m.project",
  "WITH a AS (SELECT * REPLACE (ARRAY(SELECT AS STRUCT m.* REPLACE (IF(m.project IS NULL, NULL, 'R') AS project, 'c' AS level, ARRAY(SELECT AS STRUCT r.* REPLACE (IF(r.path IS NULL, NULL, 'R') AS path, CONCAT(t.id, m.project) AS level) FROM UNNEST(m.request) AS r WITH OFFSET AS p ORDER BY p) AS request) FROM UNNEST(t.metadata) AS m WITH OFFSET AS o ORDER BY o) AS metadata) FROM logs.T AS t) SELECT id, m.level, ARRAY_LENGTH(m.request) AS n, m.response.status FROM (SELECT id, metadata FROM a UNION ALL SELECT id, metadata FROM logs.T) AS u LEFT JOIN UNNEST(u.metadata) AS m ORDER BY id, level, n",
  "WITH a AS (SELECT * REPLACE (ARRAY(SELECT AS STRUCT m.* REPLACE (IF(m.project IS NULL, NULL, 'R') AS project, 'c' AS level, ARRAY(SELECT AS STRUCT r.* REPLACE (IF(r.path IS NULL, NULL, 'R') AS path, CONCAT(t.id, m.project) AS level) FROM UNNEST(m.request) AS r WITH OFFSET AS p ORDER BY p) AS request) FROM UNNEST(t.metadata) AS m WITH OFFSET AS o ORDER BY o) AS metadata) FROM logs.T AS t) SELECT m.level, COUNT(*) AS n, COUNT(m.project) AS p, COUNTIF(EXISTS (SELECT 1 FROM UNNEST(m.request) AS r WHERE r.path IS NULL)) AS c FROM a CROSS JOIN UNNEST(a.metadata) AS m GROUP BY level ORDER BY level",
  'SELECT t.id, x.o, x.project, x.twice, x.geo.country, y.z FROM (SELECT id, ARRAY(SELECT AS STRUCT m.project, o, m.level AS once, m.level AS twice, t.geo FROM UNNEST(t.metadata) AS m WITH OFFSET AS o) AS a, ARRAY(SELECT AS STRUCT m.level AS z FROM UNNEST(t.metadata) AS m ORDER BY m.level DESC) AS b FROM logs.T AS t) AS t LEFT JOIN UNNEST(t.a) AS x LEFT JOIN UNNEST(t.b) AS y ORDER BY id, o, project, z',
  'SELECT t.id, x.geo.country, x.n, x.m.project FROM (SELECT id, ARRAY(SELECT AS STRUCT t.geo, 1 AS n, m FROM UNNEST(t.metadata) AS m) AS a FROM logs.T AS t) AS t LEFT JOIN UNNEST(t.a) AS x ORDER BY id, project',
  "SELECT id, EXISTS (SELECT 1 FROM (SELECT ARRAY(SELECT AS STRUCT m.* REPLACE (1 AS level) FROM UNNEST(t.metadata) AS m) AS a) AS s, UNNEST(s.a) AS x WHERE x.level = 1 AND x.project = 'a') AS e, (SELECT s.a FROM (SELECT ARRAY(SELECT AS STRUCT m.project, m.level FROM UNNEST(t.metadata) AS m) AS a) AS s) AS v FROM logs.T AS t ORDER BY id",
  "SELECT id, 1 / (SELECT COUNT(*) FROM UNNEST(a) AS x WHERE x.n > 0) AS c FROM (SELECT id, ARRAY(SELECT AS STRUCT CAST(t.event_message AS INT64) AS n, m.level FROM UNNEST(t.metadata) AS m) AS a FROM logs.T AS t WHERE id IN ('e0', 'e1')) ORDER BY id",
  "SELECT id, STRUCT(metadata AS a, geo AS b).b.country AS c, WITH(g AS geo, g.country) AS d, IF(id < 'e5', geo, NULL) AS e FROM logs.T ORDER BY id",
  "SELECT id FROM logs.T WHERE id IN (SELECT t.id FROM logs.T AS t CROSS JOIN UNNEST(t.metadata) AS m WHERE m.project = 'b') ORDER BY id",
  'SELECT t.id, (SELECT COUNT(*) FROM logs.T AS o CROSS JOIN UNNEST(o.metadata) AS om WHERE om.project = m.project) AS n FROM logs.T AS t CROSS JOIN UNNEST(t.metadata) AS m ORDER BY id, m.project',
  'SELECT t.id, x FROM logs.T AS t CROSS JOIN UNNEST(ARRAY(SELECT AS STRUCT m.* REPLACE (UPPER(m.project) AS project) FROM UNNEST(t.metadata) AS m WITH OFFSET AS o ORDER BY o)) AS x ORDER BY id, x.project',
  "WITH a AS (SELECT * REPLACE (ARRAY(SELECT AS STRUCT m.* REPLACE (IF(m.project IS NULL, NULL, 'R') AS project, ARRAY(SELECT AS STRUCT r.* REPLACE (IF(r.path IS NULL, NULL, 'R') AS path) FROM UNNEST(m.request) AS r WITH OFFSET AS p ORDER BY p) AS request) FROM UNNEST(metadata) AS m WITH OFFSET AS o ORDER BY o) AS metadata) FROM logs.T) SELECT * FROM a ORDER BY id",
  "WITH a AS (SELECT * REPLACE (ARRAY(SELECT AS STRUCT m.* REPLACE (IF(m.project IS NULL, NULL, 'R') AS project) FROM UNNEST(metadata) AS m WITH OFFSET AS o ORDER BY o) AS metadata) FROM logs.T) SELECT a.id, m.project, r.path FROM a LEFT JOIN UNNEST(a.metadata) AS m LEFT JOIN UNNEST(m.request) AS r ORDER BY id, r.path, m.project",
];

const OPTIONS = { maxRows: 1000, deadlineMs: 600_000, nowMicros: 0n };

describe.each([
  ['have each record once at most', RECORDS],
  ['may have a record twice', [...RECORDS, ...REPEATED]],
] as const)('queries over entries that %s', (_, records) => {
  const opened: Warehouse[] = [];
  beforeAll(async () => {
    const store = await openStore({ databaseFile: null, memoryLimitMiB: 2048, threads: 2 });
    const schemas: TableSchemas = new Map([['list', SCHEMA]]);
    await loadEntries({ store, schemas, source: 'list', lines: linesOf(records), records: 'nested' });
    const hasRepeated = await store.use((connection) =>
      layOut(connection, 'list', 'flat', SCHEMA, { flat: FLAT, hasRepeated: false }),
    );
    await installFunctions(store);
    await store.lock();
    const layouts = new Map<string, TableLayout>([['flat', { flat: FLAT, hasRepeated }]]);
    const tables: TableSchemas = new Map([...schemas, ['flat', SCHEMA]]);
    opened.push(makeDuckDbWarehouse(store, tables, { layouts }));
  });
  afterAll(() => opened[0]?.close());

  const answerOf = async (sql: string, table: string) => {
    try {
      const text = sql.replaceAll('logs.T', `logs.${table}`);
      const result = await opened[0]?.run({ sql: text, parameters: new Map() }, OPTIONS);
      return result?.rows;
    } catch (error) {
      return error instanceof Error ? error.message.replaceAll(table, 'T') : error;
    }
  };

  test.each(QUERIES)('answer from columns what they answer from lists of records: %s', async (sql) => {
    expect(await answerOf(sql, 'flat')).toEqual(await answerOf(sql, 'list'));
  });
});
