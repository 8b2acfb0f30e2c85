
        --refused calls of the auth API, by code
  select 
    timestamp_trunc(timestamp, hour) as timestamp,
    count(*) as count,
    head.x_sb_error_code as error_code
  from edge_logs
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as request
    cross join unnest(meta.response) as response
    cross join unnest(response.headers) as head
  where path like '%auth/v1%'
    and response.status_code >= 400 and response.status_code <= 599
    AND response.status_code >= 400
  group by timestamp, error_code
  order by timestamp desc
