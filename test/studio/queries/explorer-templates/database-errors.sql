select
  cast(t.timestamp as datetime) as timestamp,
  line.error_severity,
  event_message
from postgres_logs as t
  cross join unnest(metadata) as meta
  cross join unnest(meta.parsed) as line
where
  line.error_severity in ('ERROR', 'FATAL', 'PANIC')
order by
  timestamp desc
limit 100
