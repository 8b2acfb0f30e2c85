
SELECT
-- entries over time
  timestamp_trunc(t.timestamp, minute) as timestamp,
  count(CASE WHEN NOT (response.status_code >= 500 OR response.status_code >= 400 AND response.status_code < 500) THEN 1 END) as good,
  count(CASE WHEN response.status_code >= 500 THEN 1 END) as failed,
  count(CASE WHEN response.status_code >= 400 AND response.status_code < 500 THEN 1 END) as warned,
FROM
  edge_logs t
  cross join unnest(metadata) as meta
  cross join unnest(meta.request) as request
  cross join unnest(meta.response) as response
  where (regexp_contains(event_message, "(?i)get|post")) and t.timestamp > '2026-01-31T05:10:00.000Z'
GROUP BY
timestamp
ORDER BY
  timestamp ASC
