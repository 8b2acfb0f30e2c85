
    -- how long signing in and signing up take
    WITH params AS (
      SELECT
        COALESCE(PARSE_TIMESTAMP('%Y-%m-%dT%H:%M:%E*S%Ez', '2026-01-30T12:10:00Z'), TIMESTAMP('2026-01-30T12:10:00Z')) AS start_ts,
        COALESCE(PARSE_TIMESTAMP('%Y-%m-%dT%H:%M:%E*S%Ez', '2026-01-31T12:10:00Z'),   TIMESTAMP('2026-01-31T12:10:00Z'))   AS end_ts
    ),
    lines AS (
      SELECT
        TIMESTAMP_TRUNC(timestamp, minute) AS ts,
        CASE COALESCE(JSON_VALUE(event_message, '$.auth_event.action'), JSON_VALUE(event_message, '$.action'))
          WHEN 'login' THEN 'SignInLatency'
          WHEN 'user_signedup' THEN 'SignUpLatency'
          ELSE NULL
        END AS metric,
        COALESCE(
          SAFE_CAST(JSON_VALUE(event_message, '$.duration_ms') AS FLOAT64),
          SAFE_CAST(JSON_VALUE(event_message, '$.auth_event.duration_us') AS FLOAT64) / 1000.0,
          -- nanoseconds
          SAFE_CAST(JSON_VALUE(event_message, '$.duration') AS FLOAT64) / 1000000.0
        ) AS latency_ms
      FROM auth_logs, params
      WHERE timestamp >= start_ts AND timestamp < end_ts
    ),
    chosen AS (
      SELECT
        ts,
        metric,
        latency_ms
      FROM lines
      WHERE metric IS NOT NULL
    ),
    basic AS (
      SELECT
        ts,
        metric,
        MIN(latency_ms) AS min,
        AVG(latency_ms) AS avg,
        MAX(latency_ms) AS max
      FROM chosen
      GROUP BY ts, metric
    ),
    pct AS (
      SELECT
        ts,
        metric,
        APPROX_QUANTILES(latency_ms, 100) AS q
      FROM chosen
      GROUP BY ts, metric
    )
    SELECT
      b.ts AS timestamp,
      b.metric,
      b.min  AS min_processing_time_ms,
      b.avg  AS avg_processing_time_ms,
      b.max  AS max_processing_time_ms,
      q[OFFSET(50)] AS p50_processing_time_ms,
      q[OFFSET(95)] AS p95_processing_time_ms
    FROM basic b
    JOIN pct USING (ts, metric)
    ORDER BY timestamp DESC, metric
