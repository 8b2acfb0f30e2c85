select id, postgrest_logs.timestamp, event_message from postgrest_logs
  where (regexp_contains(event_message, '.'))
  order by timestamp desc
  limit 100
