        -- what the cache lacks most
SELECT
  req.path as path,
  req.search as search,
  count(id) as count
from edge_logs f
  cross join unnest(f.metadata) as meta
  cross join unnest(meta.request) as req
  cross join unnest(meta.response) as res
  cross join unnest(res.headers) as head
where starts_with(req.path, '/storage/v1/object')
  and req.method = 'GET'
  and head.cf_cache_status in ('MISS', 'NONE/UNKNOWN', 'EXPIRED', 'BYPASS', 'DYNAMIC')
group by path, search
order by count desc
limit 12
