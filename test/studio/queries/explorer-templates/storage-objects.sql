select
  req.method as http_verb,
  req.path as filepath,
  count(*) as num_requests
from edge_logs
  cross join unnest(metadata) as meta
  cross join unnest(meta.request) AS req
  cross join unnest(req.headers) AS head
where
  path like '%storage/v1/object/%'
group by
  req.path, req.method
order by
  num_requests desc
limit 100
