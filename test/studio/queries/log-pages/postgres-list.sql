select postgres_logs.timestamp, id, event_message, parsed.error_severity, parsed.detail, parsed.hint
from postgres_logs
cross join unnest(metadata) as meta
  cross join unnest(meta.parsed) as parsed
where (parsed.error_severity in ('ERROR', 'FATAL', 'PANIC'))
order by timestamp desc
limit 100
