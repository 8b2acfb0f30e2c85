select
  cast(timestamp as datetime) as timestamp,
  event_message,
  cf_connecting_ip as address,
  url as request_url,
  request.method as request_method,
  sb.auth_user as user_id,
  key_payload.role as key_role,
  bearer_payload.role as bearer_role,
  user_agent,
  city,
  country,
  continent,
  postalCode
from
  edge_logs
  cross join unnest(metadata) as metadata
  cross join unnest(request) as request
  cross join unnest(sb) as sb
  cross join unnest(jwt) as jwt
  cross join unnest(jwt.apikey) as jwt_key
  cross join unnest(jwt_key.payload) as key_payload
  cross join unnest(authorization) as bearer
  cross join unnest(bearer.payload) as bearer_payload
  cross join unnest(headers) as headers
  cross join unnest(cf) as cf
  cross join unnest(response) as response
where regexp_contains(path, '^/rest/v1/') and sb.auth_user is not null -- <--- one user's id
order by timestamp desc;
