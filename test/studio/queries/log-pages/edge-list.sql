-- requests of the gateway, newest first
select id, edge_logs.timestamp, event_message, request.method, request.path, request.search, response.status_code
from edge_logs
cross join unnest(metadata) as meta
  cross join unnest(meta.request) as request
  cross join unnest(meta.response) as response
where (regexp_contains(event_message, 'rest')) and (response.status_code between 500 and 599 or response.status_code between 400 and 499) and (request.method = 'GET' or request.method = 'POST') and (request.path like '/rest/%' or request.path like '/graphql/%')
order by timestamp desc
limit 100;
