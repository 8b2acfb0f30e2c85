select
  cast(timestamp as datetime) as timestamp,
  head.x_real_ip
from edge_logs
  left join unnest(metadata) as meta on true
  left join unnest(meta.request) as req on true
  left join unnest(req.headers) as head on true
where head.x_real_ip is not null

