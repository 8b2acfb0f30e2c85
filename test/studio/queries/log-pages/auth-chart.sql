SELECT
-- entries over time
  timestamp_trunc(t.timestamp, minute) as timestamp,
  count(CASE WHEN NOT (IFNULL(metadata.level, '') IN ('error', 'fatal') OR IFNULL(SAFE_CAST(metadata.status AS INT64), 0) >= 500 OR IFNULL(metadata.level, '') = 'warning') THEN 1 END) as good,
  count(CASE WHEN metadata.level = 'error' OR metadata.level = 'fatal' THEN 1 END) as failed,
  count(CASE WHEN metadata.level = 'warning' THEN 1 END) as warned,
FROM
  auth_logs t
  cross join unnest(metadata) as metadata
  where t.timestamp > '2026-01-31T05:10:00.000Z'
GROUP BY
timestamp
ORDER BY
  timestamp ASC
