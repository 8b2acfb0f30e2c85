select id, timestamp, event_message, metadata from realtime_logs where id = '{{realtime_logs.id}}' limit 1
