select id, timestamp, event_message, metadata from postgrest_logs where id = '{{postgrest_logs.id}}' limit 1
