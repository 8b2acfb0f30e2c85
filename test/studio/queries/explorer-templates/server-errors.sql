select
  cast(timestamp as datetime) as timestamp,
  event_message,
  res.status_code
from edge_logs
  cross join unnest(metadata) as meta
  cross join unnest(meta.response) as res
where
  res.status_code >= 500
order by
  timestamp desc
limit 100
