select
  count(t.timestamp) as count,
  line.user_name,
  line.error_severity
from postgres_logs as t
  cross join unnest(metadata) as meta
  cross join unnest(meta.parsed) as line
where
  line.error_severity in ('ERROR', 'FATAL', 'PANIC')
group by
  line.user_name,
  line.error_severity
order by
  count desc
limit 100
