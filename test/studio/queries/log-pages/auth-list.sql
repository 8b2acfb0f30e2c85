select id, auth_logs.timestamp, event_message, metadata.level, metadata.status, metadata.path, metadata.msg as msg, metadata.error from auth_logs
  cross join unnest(metadata) as metadata
  where (IFNULL(metadata.level, '') IN ('error', 'fatal') OR IFNULL(SAFE_CAST(metadata.status AS INT64), 0) >= 500 or IFNULL(metadata.level, '') = 'warning' OR IFNULL(SAFE_CAST(metadata.status AS INT64), 0) BETWEEN 400 AND 499) and (cast(metadata.status as int64) between 400 and 499 or REGEXP_CONTAINS(metadata.path, "/token|/authorize|/callback|/otp|/magiclink"))
  order by timestamp desc
  limit 100
