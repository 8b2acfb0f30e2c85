
--calls by the region that ran them
select
  timestamp_trunc(timestamp, hour) as timestamp,
  head.x_sb_edge_region as region,
  count(*) as count
from
  function_edge_logs
  cross join unnest(metadata) as meta
  cross join unnest(meta.response) as res
  cross join unnest(res.headers) as head
  
  WHERE head.x_sb_edge_region is not null
group by
  timestamp,
  region
order by
  timestamp desc
