select id, timestamp, event_message, metadata from edge_logs where id = '{{edge_logs.id}}' limit 1
