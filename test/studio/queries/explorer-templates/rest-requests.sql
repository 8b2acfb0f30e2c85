-- a nested field by its last name alone
select
  cast(timestamp as datetime) as timestamp,
  event_message
from edge_logs
  cross join unnest(metadata) as meta
  cross join unnest(meta.request) as req
where
  path like '%rest/v1%'
order by
  timestamp desc
limit 100
