select
  format_timestamp(
    "%c",
    timestamp_trunc(cast(edge_logs.timestamp as timestamp), hour),
    "UTC"
  ) as hour,
  count(proxy_status) as error_count,
  path,
  coalesce(proxy_status, 'not_recorded') as error_codes
from
  edge_logs
  cross join unnest(metadata) as metadata
  cross join unnest(response) as response
  cross join unnest(response.headers) as headers
  cross join unnest(request) as request
where status_code >= 300 and regexp_contains(path, '^/rest/v1/')
group by hour, proxy_status, path;
