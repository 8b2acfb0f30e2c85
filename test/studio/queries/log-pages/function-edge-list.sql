select id, function_edge_logs.timestamp, event_message, response.status_code, request.method, request.pathname, meta.function_id, meta.execution_id, meta.execution_time_ms, meta.deployment_id, meta.version from function_edge_logs
  cross join unnest(metadata) as meta
  cross join unnest(meta.response) as response
  cross join unnest(meta.request) as request
  where (response.status_code between 200 and 299) and (meta.function_id = '{{function_edge_logs.function_id}}')
  order by timestamp desc
  limit 100
