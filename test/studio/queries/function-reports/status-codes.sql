
select
  timestamp_trunc(timestamp, minute) as timestamp,
  response.status_code as status_code,
  count(response.status_code) as count
from
  function_edge_logs
  cross join unnest(metadata) as meta
  cross join unnest(meta.response) as response
  cross join unnest(response.headers) as head
  WHERE head.x_sb_edge_region IN ('eu-central-1','us-east-1')
group by
  timestamp,
  status_code
order by
  timestamp desc
