select id, function_logs.timestamp, event_message, metadata.event_type, metadata.function_id, metadata.execution_id, metadata.level from function_logs
cross join unnest(metadata) as metadata
where metadata.function_id = '{{function_logs.function_id}}' and metadata.execution_id in ('{{function_logs.execution_id}}', 'none')
order by timestamp desc
limit 50
