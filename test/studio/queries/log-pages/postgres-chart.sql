SELECT
-- entries over time
  timestamp_trunc(t.timestamp, hour) as timestamp,
  count(CASE WHEN NOT (parsed.error_severity IN ('ERROR', 'FATAL', 'PANIC') OR parsed.error_severity IN ('WARNING')) THEN 1 END) as good,
  count(CASE WHEN parsed.error_severity IN ('ERROR', 'FATAL', 'PANIC') THEN 1 END) as failed,
  count(CASE WHEN parsed.error_severity IN ('WARNING') THEN 1 END) as warned,
FROM
  postgres_logs t
  cross join unnest(metadata) as meta
  cross join unnest(meta.parsed) as parsed
  where t.timestamp > '2026-01-25T12:00:00.000Z'
GROUP BY
timestamp
ORDER BY
  timestamp ASC
