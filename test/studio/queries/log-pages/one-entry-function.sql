select id, timestamp, event_message, metadata from function_logs where id = '{{function_logs.id}}' limit 1
