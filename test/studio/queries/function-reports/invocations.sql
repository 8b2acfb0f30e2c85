
--calls of each function
select
  timestamp_trunc(timestamp, hour) as timestamp,
  function_id,
  count(*) as count
from
  function_edge_logs
  CROSS JOIN UNNEST(metadata) AS meta
  CROSS JOIN UNNEST(meta.request) AS request
  CROSS JOIN UNNEST(meta.response) AS response
  CROSS JOIN UNNEST(response.headers) AS head
  WHERE function_id IN ('{{function_edge_logs.function_id}}','f1000000-aaaa-4bbb-8ccc-000000000002') AND response.status_code >= 200 AND meta.execution_time_ms > 1
group by
  timestamp,
  function_id
order by
  timestamp desc;
