select id, timestamp, event_message, metadata from postgres_logs where id = '{{postgres_logs.id}}' limit 1
