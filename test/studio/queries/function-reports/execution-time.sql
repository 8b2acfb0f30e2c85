
select
  timestamp_trunc(timestamp, hour) as timestamp,
  request.pathname as function_path,
  avg(meta.execution_time_ms) as avg_execution_time
from
  function_edge_logs
  cross join unnest(metadata) as meta
  cross join unnest(meta.request) as request
  where function_id = '{{function_edge_logs.function_id}}'
group by
  timestamp,
  function_path
order by
  timestamp desc
    
