
    -- one pass over the lines, which are JSON
    WITH
    params AS (
      SELECT
        COALESCE(
          PARSE_TIMESTAMP('%Y-%m-%dT%H:%M:%E*S%Ez', '2026-01-24T12:10:00Z'),
          TIMESTAMP('2026-01-24T12:10:00Z')
        ) AS start_ts,
        COALESCE(
          PARSE_TIMESTAMP('%Y-%m-%dT%H:%M:%E*S%Ez', '2026-01-31T12:10:00.000Z'),
          TIMESTAMP('2026-01-31T12:10:00.000Z')
        ) AS end_ts
    ),
    lines AS (
      SELECT
        TIMESTAMP_TRUNC(timestamp, hour) AS ts,
        COALESCE(JSON_VALUE(event_message, '$.auth_event.action'), JSON_VALUE(event_message, '$.action')) AS action,
        COALESCE(JSON_VALUE(event_message, '$.auth_event.actor_id'), JSON_VALUE(event_message, '$.user_id')) AS actor_id,
        COALESCE(JSON_VALUE(event_message, '$.provider'), 'unknown') AS provider,
        JSON_VALUE(event_message, '$.login_method') AS login_method,
        CASE
          WHEN JSON_VALUE(event_message, '$.metering') IS NOT NULL THEN LOWER(JSON_VALUE(event_message, '$.metering'))
          WHEN JSON_QUERY(event_message, '$.metering') = 'true' THEN 'true'
          ELSE ''
        END AS metering
      FROM auth_logs, params
      WHERE timestamp >= start_ts AND timestamp < end_ts
      AND COALESCE(JSON_VALUE(event_message, '$.provider'), 'unknown') IN ('email', 'unknown')
    ),
    people AS (
      SELECT
        ts
        , provider,
        COUNT(DISTINCT IF(action IN ('login','user_signedup','token_refreshed'), actor_id, NULL)) AS active_users,
        COUNTIF(action = 'user_signedup') AS total_signups
      FROM lines
      GROUP BY ts, provider
    ),
    sign_ins AS (
      SELECT
        ts
        , provider,
        CASE
          WHEN COALESCE(provider, '') != '' THEN CONCAT(login_method, ' (', provider, ')')
          ELSE login_method
        END AS login_type_provider,
        COUNTIF(action = 'login' AND metering = 'true') AS count
      FROM lines
      GROUP BY ts, login_type_provider, provider
    )
    SELECT ts AS timestamp, 'ActiveUsers' AS metric, active_users AS count,
           provider,
           CAST(NULL AS STRING) AS login_type_provider
    FROM people

    UNION ALL
    SELECT ts, 'TotalSignUps', total_signups,
           provider,
           CAST(NULL AS STRING)
    FROM people

    UNION ALL
    SELECT ts, 'SignInAttempts', count,
           provider,
           login_type_provider
    FROM sign_ins

    ORDER BY timestamp DESC, provider
