SELECT
-- entries over time
  timestamp_trunc(t.timestamp, minute) as timestamp,
  count(CASE WHEN NOT (metadata.level IN ('error', 'fatal') OR metadata.level IN ('warning')) THEN 1 END) as good,
  count(CASE WHEN metadata.level IN ('error', 'fatal') THEN 1 END) as failed,
  count(CASE WHEN metadata.level IN ('warning') THEN 1 END) as warned,
FROM
  function_logs t
  cross join unnest(metadata) as metadata
  where t.timestamp > '2026-01-31T05:10:00.000Z'
GROUP BY
timestamp
ORDER BY
  timestamp ASC
