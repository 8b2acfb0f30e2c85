select
  req.path as path,
  req.search as params,
  count(timestamp) as c
from edge_logs
  cross join unnest(metadata) as meta
  cross join unnest(meta.request) as req
group by
  path,
  params
order by
  c desc
limit 100
