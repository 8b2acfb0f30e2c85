select id, timestamp, event_message, metadata from function_edge_logs where id = '{{function_edge_logs.id}}' limit 1
