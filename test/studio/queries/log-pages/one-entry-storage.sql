select id, timestamp, event_message, metadata from storage_logs where id = '{{storage_logs.id}}' limit 1
