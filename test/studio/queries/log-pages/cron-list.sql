select id, postgres_logs.timestamp, event_message, parsed.error_severity, parsed.query
from postgres_logs
  cross join unnest(metadata) as meta
  cross join unnest(meta.parsed) as parsed
where ( parsed.application_name = 'pg_cron' or regexp_contains(event_message, 'cron job') )
order by timestamp desc
limit 100
