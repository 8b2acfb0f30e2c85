  select
      id,
      gw.timestamp as timestamp,
      'auth' as log_type,
      CAST(res.status_code AS STRING) as status,
      CASE
        WHEN res.status_code BETWEEN 200 AND 299 THEN 'success'
        WHEN res.status_code BETWEEN 400 AND 499 THEN 'warning'
        WHEN res.status_code >= 500 THEN 'error'
        ELSE 'success'
      END as level,

      -- what was asked for
      req.path as request_path,
      req.host as request_host,
      req.method as request_method,
      req.url as request_url,
      req.search as request_search,

      -- what came back
      res.origin_time as response_origin_time,
      res_head.content_type as response_content_type,
      res_head.cf_cache_status as response_cache_status,

      -- where from
      cf.continent as client_continent,
      cf.country as client_country,
      cf.city as client_city,
      cf.region as client_region,
      cf.regionCode as client_region_code,
      cf.latitude as client_latitude,
      cf.longitude as client_longitude,
      cf.timezone as client_timezone,
      cf.httpProtocol as network_protocol,
      cf.colo as network_datacenter,

      req_head.user_agent as headers_user_agent,
      req_head.x_client_info as headers_x_client_info,
      req_head.x_forwarded_proto as headers_x_forwarded_proto,
      req_head.x_real_ip as headers_x_real_ip,
      req_head.referer as headers_referer,

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
      res_head.cf_ray as cf_ray,
      req_head.cf_ipcountry as cf_country,
      cf.colo as cf_datacenter,
      req_head.cf_connecting_ip as client_ip,

      res_head.sb_gateway_mode as storage_edge_gateway_mode,
      res_head.sb_gateway_version as storage_edge_gateway_version,
      res_head.cf_ray as correlation_cf_ray,

      -- the entry itself
      gw as raw_log_data

    from edge_logs as gw
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    left join unnest(res.headers) as res_head
    left join unnest(req.headers) as req_head
    left join unnest(req.cf) as cf
    left join unnest(req.sb) as sb
    left join unnest(sb.jwt) as jwt
    left join unnest(COALESCE(jwt.apikey, [])) as key_outer
    left join unnest(COALESCE(key_outer.payload, [])) as key_jwt
    left join unnest(COALESCE(jwt.authorization, [])) as auth
    left join unnest(COALESCE(auth.payload, [])) as bearer
    left join unnest(COALESCE(sb.apikey, [])) as new_outer
    left join unnest(COALESCE(new_outer.apikey, [])) as new_key

WHERE
  gw.id = '{{edge_logs.id of /auth/}}'
