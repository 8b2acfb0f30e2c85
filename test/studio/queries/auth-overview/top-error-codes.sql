
  select
    head.x_sb_error_code as error_code,
    count(*) as count
  from edge_logs
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as request
    cross join unnest(meta.response) as response
    cross join unnest(response.headers) as head
  where path like '%auth/v1%'
    and response.status_code between 400 and 599
    and head.x_sb_error_code is not null
  group by error_code
  order by count desc
  limit 10

