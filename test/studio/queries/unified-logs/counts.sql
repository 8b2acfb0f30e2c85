WITH unified_logs AS (
    
    select
      id,
      null as source_id,
      gateway.timestamp as timestamp,
      'edge' as log_type,
      CAST(answer.status_code AS STRING) as status,
      CASE
          WHEN answer.status_code BETWEEN 200 AND 299 THEN 'success'
          WHEN answer.status_code BETWEEN 400 AND 499 THEN 'warning'
          WHEN answer.status_code >= 500 THEN 'error'
          ELSE 'success'
      END as level,
      asked.path as pathname,
      null as event_message,
      asked.method as method,
      null as log_count,
      null as logs
    from edge_logs as gateway
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as asked
    cross join unnest(meta.response) as answer

    -- what has a log type of its own is left out
    WHERE asked.path NOT LIKE '%/rest/%'
    AND asked.path NOT LIKE '%/storage/%'
   union all 
    select
      id,
      null as source_id,
      gateway.timestamp as timestamp,
      'postgrest' as log_type,
      CAST(answer.status_code AS STRING) as status,
      CASE
          WHEN answer.status_code BETWEEN 200 AND 299 THEN 'success'
          WHEN answer.status_code BETWEEN 400 AND 499 THEN 'warning'
          WHEN answer.status_code >= 500 THEN 'error'
          ELSE 'success'
      END as level,
      asked.path as pathname,
      null as event_message,
      asked.method as method,
      null as log_count,
      null as logs
    from edge_logs as gateway
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as asked
    cross join unnest(meta.response) as answer
    WHERE asked.path LIKE '%/rest/%'
   union all 
    select
      id,
      null as source_id,
      gateway.timestamp as timestamp,
      'storage' as log_type,
      CAST(answer.status_code AS STRING) as status,
      CASE
          WHEN answer.status_code >= 500 THEN 'error'
          ELSE 'success'
      END as level,
      asked.path as pathname,
      null as event_message,
      asked.method as method,
      null as log_count,
      null as logs
    from edge_logs as gateway
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as asked
    cross join unnest(meta.response) as answer
    WHERE asked.path LIKE '%/storage/%'
   union all 
    select
      id,
      null as source_id,
      db.timestamp as timestamp,
      'postgres' as log_type,
      CAST(line.sql_state_code AS STRING) as status,
      CASE
          WHEN line.error_severity = 'LOG' THEN 'success'
          WHEN line.error_severity = 'WARNING' THEN 'warning'
          WHEN line.error_severity = 'FATAL' THEN 'error'
          WHEN line.error_severity = 'ERROR' THEN 'error'
          ELSE null
      END as level,
      null as pathname,
      event_message as event_message,
      null as method,
      null as log_count,
      null as logs
    from postgres_logs as db
    cross join unnest(db.metadata) as db_meta
    cross join unnest(db_meta.parsed) as line
   union all 
    select
      id,
      null as source_id,
      call.timestamp as timestamp,
      'edge function' as log_type,
      CAST(call_response.status_code AS STRING) as status,
      CASE
          WHEN call_response.status_code BETWEEN 400 AND 499 THEN 'warning'
          WHEN call_response.status_code >= 500 THEN 'error'
          ELSE 'success'
      END as level,
      call_request.pathname as pathname,
      COALESCE(written.last_event_message, '') as event_message,
      call_request.method as method,
      written.function_log_count as log_count,
      null as logs
    from function_edge_logs as call
    cross join unnest(metadata) as call_meta
    cross join unnest(call_meta.response) as call_response
    cross join unnest(call_meta.request) as call_request
    left join (
    SELECT
        line_meta.request_id,
        COUNT(lines.id) as function_log_count,
        ANY_VALUE(lines.event_message) as last_event_message
    FROM function_logs as lines
    CROSS JOIN UNNEST(lines.metadata) as line_meta
    WHERE line_meta.request_id IS NOT NULL
    GROUP BY line_meta.request_id
    ) as written on call_meta.request_id = written.request_id
   union all 
    select
      passed.id as id,
      account.id as source_id,
      passed.timestamp as timestamp,
      'auth' as log_type,
      CAST(passed_response.status_code AS STRING) as status,
      CASE
          WHEN passed_response.status_code BETWEEN 400 AND 499 THEN 'warning'
          WHEN passed_response.status_code >= 500 THEN 'error'
          ELSE 'success'
      END as level,
      passed_request.path as pathname,
      null as event_message,
      passed_request.method as method,
      null as log_count,
      null as logs
    from auth_logs as account
    cross join unnest(metadata) as account_meta
    left join (
    edge_logs as passed
        cross join unnest (metadata) as passed_meta
        cross join unnest (passed_meta.response) as passed_response
        cross join unnest (passed_response.headers) as passed_headers
        cross join unnest (passed_meta.request) as passed_request
    )
    on account_meta.request_id = passed_headers.cf_ray
    WHERE account_meta.request_id is not null
  
)
,

log_type_counts AS (
  SELECT
    COUNT(*) AS total,
    COUNTIF(log_type = 'edge') AS edge_count,
    COUNTIF(log_type = 'postgres') AS postgres_count,
    COUNTIF(log_type = 'edge function') AS edge_function_count,
    COUNTIF(log_type = 'auth') AS auth_count
  FROM unified_logs
  WHERE log_type IS NOT NULL
),
level_counts AS (
  SELECT
    COUNTIF(level = 'success') AS success_count,
    COUNTIF(level = 'error') AS error_count
  FROM unified_logs
  WHERE level IS NOT NULL
),
-- facets with values that are not known before
method_count AS (
  SELECT 'method' as dimension, `method` as value, COUNT(*) as count
  FROM unified_logs
  WHERE `method` IS NOT NULL
  
  GROUP BY `method`
  LIMIT 20
),
pathname_count AS (
  SELECT 'pathname' as dimension, `pathname` as value, COUNT(*) as count
  FROM unified_logs
  WHERE `pathname` IS NOT NULL
  AND `pathname` LIKE '%v1%'
  GROUP BY `pathname`
  LIMIT 20
)

SELECT 'total' AS dimension, 'all' AS value, total AS count FROM log_type_counts
UNION ALL SELECT 'log_type', 'edge', edge_count FROM log_type_counts
UNION ALL SELECT 'log_type', 'postgres', postgres_count FROM log_type_counts
UNION ALL SELECT 'log_type', 'edge function', edge_function_count FROM log_type_counts
UNION ALL SELECT 'log_type', 'auth', auth_count FROM log_type_counts
UNION ALL SELECT 'level', 'success', success_count FROM level_counts
UNION ALL SELECT 'level', 'error', error_count FROM level_counts
UNION ALL SELECT dimension, value, count FROM method_count
UNION ALL SELECT dimension, value, count FROM pathname_count
