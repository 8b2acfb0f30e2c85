select
  regexp_extract(request.path, '^/rest/v1/([^?/]+)') as resource,
  request.method,
  bearer.role as role,
  jwt_auth.invalid,
  count(*) as calls,
  min(timestamp) as first,
  max(timestamp) as last
from edge_logs
cross join unnest(metadata) as metadata
cross join unnest(metadata.request) as request
cross join unnest(request.sb) as sb
cross join unnest(sb.jwt) as jwt
cross join unnest(jwt.authorization) as jwt_auth
left join unnest(jwt_auth.payload) as bearer
where request.path like '/rest/v1/%'
group by resource, request.method, role, jwt_auth.invalid
order by calls desc
limit 200
