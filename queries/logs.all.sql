-- The newest entries of one project; consumers' own queries see the nine sources below and nothing else.
-- Both time bounds hold in every source: the start is exclusive, the end inclusive.
WITH edge_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.metadata
  FROM logs.edge_logs AS t
  WHERE t.project = @project
    AND t.timestamp > IFNULL(@iso_timestamp_start, TIMESTAMP '0001-01-01 00:00:00+00')
    AND t.timestamp <= IFNULL(@iso_timestamp_end, TIMESTAMP '9999-12-31 23:59:59.999999+00')
  ORDER BY t.timestamp DESC
), postgres_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.metadata
  FROM logs.postgres_logs AS t
  WHERE t.project = @project
    AND t.timestamp > IFNULL(@iso_timestamp_start, TIMESTAMP '0001-01-01 00:00:00+00')
    AND t.timestamp <= IFNULL(@iso_timestamp_end, TIMESTAMP '9999-12-31 23:59:59.999999+00')
  ORDER BY t.timestamp DESC
), function_edge_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.metadata
  FROM logs.function_edge_logs AS t
  WHERE EXISTS (SELECT 1 FROM UNNEST(t.metadata) AS m WHERE m.project_ref = @project)
    AND t.timestamp > IFNULL(@iso_timestamp_start, TIMESTAMP '0001-01-01 00:00:00+00')
    AND t.timestamp <= IFNULL(@iso_timestamp_end, TIMESTAMP '9999-12-31 23:59:59.999999+00')
  ORDER BY t.timestamp DESC
), function_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.metadata
  FROM logs.function_logs AS t
  WHERE EXISTS (SELECT 1 FROM UNNEST(t.metadata) AS m WHERE m.project_ref = @project)
    AND t.timestamp > IFNULL(@iso_timestamp_start, TIMESTAMP '0001-01-01 00:00:00+00')
    AND t.timestamp <= IFNULL(@iso_timestamp_end, TIMESTAMP '9999-12-31 23:59:59.999999+00')
  ORDER BY t.timestamp DESC
), auth_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.metadata
  FROM logs.auth_logs AS t
  WHERE t.project = @project
    AND t.timestamp > IFNULL(@iso_timestamp_start, TIMESTAMP '0001-01-01 00:00:00+00')
    AND t.timestamp <= IFNULL(@iso_timestamp_end, TIMESTAMP '9999-12-31 23:59:59.999999+00')
  ORDER BY t.timestamp DESC
), realtime_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.metadata
  FROM logs.realtime_logs AS t
  WHERE EXISTS (SELECT 1 FROM UNNEST(t.metadata) AS m WHERE m.project = @project)
    AND t.timestamp > IFNULL(@iso_timestamp_start, TIMESTAMP '0001-01-01 00:00:00+00')
    AND t.timestamp <= IFNULL(@iso_timestamp_end, TIMESTAMP '9999-12-31 23:59:59.999999+00')
  ORDER BY t.timestamp DESC
), storage_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.metadata
  FROM logs.storage_logs AS t
  WHERE EXISTS (SELECT 1 FROM UNNEST(t.metadata) AS m WHERE m.project = @project)
    AND t.timestamp > IFNULL(@iso_timestamp_start, TIMESTAMP '0001-01-01 00:00:00+00')
    AND t.timestamp <= IFNULL(@iso_timestamp_end, TIMESTAMP '9999-12-31 23:59:59.999999+00')
  ORDER BY t.timestamp DESC
), postgrest_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.metadata
  FROM logs.postgrest_logs AS t
  WHERE t.project = @project
    AND t.timestamp > IFNULL(@iso_timestamp_start, TIMESTAMP '0001-01-01 00:00:00+00')
    AND t.timestamp <= IFNULL(@iso_timestamp_end, TIMESTAMP '9999-12-31 23:59:59.999999+00')
  ORDER BY t.timestamp DESC
), pgbouncer_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.metadata
  FROM logs.pgbouncer_logs AS t
  WHERE t.project = @project
    AND t.timestamp > IFNULL(@iso_timestamp_start, TIMESTAMP '0001-01-01 00:00:00+00')
    AND t.timestamp <= IFNULL(@iso_timestamp_end, TIMESTAMP '9999-12-31 23:59:59.999999+00')
  ORDER BY t.timestamp DESC
)
SELECT id, timestamp, event_message, metadata
FROM edge_logs
ORDER BY timestamp DESC, id DESC
LIMIT 100
