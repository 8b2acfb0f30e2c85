select id, function_logs.timestamp, event_message, metadata.event_type, metadata.function_id, metadata.execution_id, metadata.level from function_logs
  cross join unnest(metadata) as metadata
  where (metadata.level = 'error' or metadata.level = 'info' or metadata.level = 'log')
  order by timestamp desc
  limit 100
