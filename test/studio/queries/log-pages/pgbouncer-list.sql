select id, pgbouncer_logs.timestamp, event_message from pgbouncer_logs
  where (regexp_contains(event_message, '.'))
  order by timestamp desc
  limit 100
