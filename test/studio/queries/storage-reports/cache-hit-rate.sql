        -- how often the cache answers
SELECT
  timestamp_trunc(timestamp, hour) as timestamp,
  countif( head.cf_cache_status in ('HIT', 'STALE', 'REVALIDATED', 'UPDATING') ) as hit_count,
  countif( head.cf_cache_status in ('MISS', 'NONE/UNKNOWN', 'EXPIRED', 'BYPASS', 'DYNAMIC') ) as miss_count
from edge_logs f
  cross join unnest(f.metadata) as meta
  cross join unnest(meta.request) as req
  cross join unnest(meta.response) as res
  cross join unnest(res.headers) as head
where starts_with(req.path, '/storage/v1/object') and req.method = 'GET'
  
group by timestamp
order by timestamp desc
