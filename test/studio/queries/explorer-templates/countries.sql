select
  place.country,
  count(*) as count
from edge_logs
  left join unnest(metadata) as meta on true
  left join unnest(meta.request) as req on true
  left join unnest(req.cf) as place on true
group by
  place.country
order by
  count desc

