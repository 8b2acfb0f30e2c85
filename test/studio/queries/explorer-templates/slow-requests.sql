select
  cast(timestamp as datetime) as timestamp,
  event_message,
  res.origin_time
from edge_logs
  cross join unnest(metadata) as meta
  cross join unnest(meta.response) as res
where
  res.origin_time > 300
order by
  timestamp desc
limit 100

