select id, edge_logs.timestamp, event_message, request.method, request.path, response.status_code
from edge_logs
  cross join unnest(metadata) as meta
  cross join unnest(meta.request) as request
  cross join unnest(meta.response) as response
where timestamp < '2026-01-31T12:00:00.000001Z'
order by timestamp desc
limit 100
