select id, timestamp, event_message, metadata from pgbouncer_logs where id = '{{pgbouncer_logs.id}}' limit 1
