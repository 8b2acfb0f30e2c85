  select
      fn.id as id,
      fn.timestamp as timestamp,
      'edge-function' as log_type,
      CAST(res.status_code AS STRING) as status,
      CASE
          WHEN res.status_code BETWEEN 400 AND 499 THEN 'warning'
          WHEN res.status_code >= 500 THEN 'error'
          ELSE 'success'
      END as level,

      req.pathname as request_path,
      req.host as request_host,
      req.method as request_method,
      req.url as request_url,
      req.search as request_search,
      req.protocol as request_protocol,
      req.port as request_port,

      res_head.content_type as response_content_type,
      res_head.content_length as response_content_length,
      res_head.date as response_date,
      res_head.server as response_server,
      res_head.x_sb_edge_region as response_edge_region,
      res_head.x_sb_compute_multiplier as response_compute_multiplier,
      res_head.x_sb_resource_multiplier as response_resource_multiplier,
      res_head.x_served_by as response_served_by,

      -- the function
      meta.execution_id as execution_id,
      meta.function_id as function_id,
      meta.deployment_id as deployment_id,
      meta.execution_time_ms as execution_time_ms,
      meta.project_ref as project_ref,
      meta.version as function_version,

      req_head.user_agent as headers_user_agent,
      req_head.x_client_info as headers_x_client_info,
      req_head.accept as headers_accept,
      req_head.accept_encoding as headers_accept_encoding,
      req_head.connection as headers_connection,
      req_head.cookie as headers_cookie,
      req_head.host as headers_host,

      -- who called
      bearer.role as api_role,
      COALESCE(sb.auth_user, null) as auth_user,
      CASE
          WHEN key_jwt.algorithm = 'HS256' AND
               key_jwt.issuer = 'supabase' AND
               key_jwt.role IN ('anon', 'service_role')
          THEN key_jwt.role
          WHEN key_jwt IS NOT NULL THEN '<other>'
          ELSE NULL
      END as jwt_key_role,
      key_jwt.signature_prefix as jwt_key_prefix,
      CASE
          WHEN new_key.prefix LIKE '%publishable%' THEN 'anon'
          WHEN new_key.prefix LIKE '%secret%' THEN 'service_role'
          WHEN new_key.prefix IS NOT NULL THEN 'unknown'
          ELSE NULL
      END as api_key_role,
      new_key.prefix as api_key_prefix,
      new_key.error as api_key_error,
      new_key.hash as api_key_hash,
      bearer.role as authorization_role,
      null as user_id,
      null as user_email,

      key_jwt.role as jwt_apikey_role,
      key_jwt.algorithm as jwt_apikey_algorithm,
      key_jwt.expires_at as jwt_apikey_expires_at,
      key_jwt.issuer as jwt_apikey_issuer,
      key_jwt.signature_prefix as jwt_apikey_signature_prefix,
      JSON_EXTRACT_SCALAR(TO_JSON_STRING(key_jwt), '$.key_id') as jwt_apikey_key_id,
      JSON_EXTRACT_SCALAR(TO_JSON_STRING(key_jwt), '$.session_id') as jwt_apikey_session_id,
      key_jwt.subject as jwt_apikey_subject,
      bearer.role as jwt_auth_role,
      bearer.algorithm as jwt_auth_algorithm,
      bearer.expires_at as jwt_auth_expires_at,
      bearer.issuer as jwt_auth_issuer,
      bearer.signature_prefix as jwt_auth_signature_prefix,
      bearer.key_id as jwt_auth_key_id,
      bearer.session_id as jwt_auth_session_id,
      bearer.subject as jwt_auth_subject,
      -- what it wrote
      written.function_log_count as function_log_count,
      written.logs as function_logs,
      written.last_event_message as last_event_message,

      fn as raw_log_data

    from function_edge_logs as fn
    cross join unnest(metadata) as meta
    cross join unnest(meta.response) as res
    cross join unnest(meta.request) as req
    left join unnest(res.headers) as res_head
    left join unnest(req.headers) as req_head
    left join unnest(req.sb) as sb
    left join unnest(sb.jwt) as jwt
    left join unnest(COALESCE(jwt.apikey, [])) as key_outer
    left join unnest(COALESCE(key_outer.payload, [])) as key_jwt
    left join unnest(COALESCE(jwt.authorization, [])) as auth
    left join unnest(COALESCE(auth.payload, [])) as bearer
    left join unnest(COALESCE(sb.apikey, [])) as new_outer
    left join unnest(COALESCE(new_outer.apikey, [])) as new_key
    left join (
      SELECT
          line_meta.execution_id,
          COUNT(lines.id) as function_log_count,
          ANY_VALUE(lines.event_message) as last_event_message,
          ARRAY_AGG(STRUCT(lines.id, lines.timestamp, lines.event_message, line_meta.level, line_meta.event_type)) as logs
      FROM function_logs as lines
      CROSS JOIN UNNEST(lines.metadata) as line_meta
      WHERE line_meta.execution_id IS NOT NULL
      GROUP BY line_meta.execution_id
    ) as written on meta.execution_id = written.execution_id

WHERE
  fn.id = '{{function_edge_logs.id}}'
