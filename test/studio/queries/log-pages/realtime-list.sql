select id, realtime_logs.timestamp, event_message from realtime_logs
  where (regexp_contains(event_message, '.'))
  order by timestamp desc
  limit 100
