select id, timestamp, event_message, metadata from auth_logs where id = '{{auth_logs.id}}' limit 1
