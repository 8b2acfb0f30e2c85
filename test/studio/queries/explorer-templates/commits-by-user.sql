select
  who.user_name,
  count(*) as commits
from postgres_logs
  left join unnest(metadata) as meta on true
  left join unnest(meta.parsed) as who on true
where
  regexp_contains(event_message, 'connection')
group by
  who.user_name
  
