SELECT
-- entries over time
  timestamp_trunc(t.timestamp, minute) as timestamp,
  count(CASE WHEN NOT (false OR false) THEN 1 END) as good,
  count(CASE WHEN false THEN 1 END) as failed,
  count(CASE WHEN false THEN 1 END) as warned,
FROM
  postgrest_logs t
  
  where t.timestamp > '2026-01-31T05:10:00.000Z'
GROUP BY
timestamp
ORDER BY
  timestamp ASC
