select id, storage_logs.timestamp, event_message from storage_logs
  where (regexp_contains(event_message, '.'))
  order by timestamp desc
  limit 100
