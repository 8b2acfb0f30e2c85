-- Requests of each API area by minute, hour or day. The window ends now and includes both its ends. An entry counts
-- once in an area, however many elements its nested records have. Only buckets that have entries come back, all of
-- them in UTC.
WITH edge_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.metadata
  FROM logs.edge_logs AS t
  WHERE t.timestamp >= TIMESTAMP_SUB(
      CURRENT_TIMESTAMP(),
      INTERVAL CASE @interval WHEN 'minutely' THEN 60 WHEN 'hourly' THEN 60 ELSE 7 * 24 * 60 END MINUTE
    )
    AND t.timestamp <= CURRENT_TIMESTAMP()
    AND EXISTS (
      SELECT 1 FROM UNNEST(t.metadata) AS m CROSS JOIN UNNEST(m.request) AS r WHERE REGEXP_CONTAINS(r.url, @project)
    )
  ORDER BY t.timestamp DESC
)
SELECT
  DATETIME(bucket, 'UTC') AS timestamp,
  COALESCE(COUNTIF(is_rest), 0) AS total_rest_requests,
  COALESCE(COUNTIF(is_storage), 0) AS total_storage_requests,
  COALESCE(COUNTIF(is_auth), 0) AS total_auth_requests,
  COALESCE(COUNTIF(is_realtime), 0) AS total_realtime_requests
FROM (
  SELECT
    CASE @interval
      WHEN 'minutely' THEN TIMESTAMP_TRUNC(e.timestamp, MINUTE)
      WHEN 'hourly' THEN TIMESTAMP_TRUNC(e.timestamp, HOUR)
      ELSE TIMESTAMP_TRUNC(e.timestamp, DAY)
    END AS bucket,
    EXISTS (
      SELECT 1 FROM UNNEST(e.metadata) AS m CROSS JOIN UNNEST(m.request) AS r WHERE REGEXP_CONTAINS(r.path, '/rest')
    ) AS is_rest,
    EXISTS (
      SELECT 1 FROM UNNEST(e.metadata) AS m CROSS JOIN UNNEST(m.request) AS r WHERE REGEXP_CONTAINS(r.path, '/storage')
    ) AS is_storage,
    EXISTS (
      SELECT 1 FROM UNNEST(e.metadata) AS m CROSS JOIN UNNEST(m.request) AS r WHERE REGEXP_CONTAINS(r.path, '/auth')
    ) AS is_auth,
    EXISTS (
      SELECT 1 FROM UNNEST(e.metadata) AS m CROSS JOIN UNNEST(m.request) AS r WHERE REGEXP_CONTAINS(r.path, '/realtime')
    ) AS is_realtime
  FROM edge_logs AS e
)
GROUP BY bucket
ORDER BY timestamp
