  select
      db.id as id,
      db.timestamp as timestamp,
      'postgres' as log_type,
      line.sql_state_code as status,
      CASE
          WHEN line.error_severity = 'LOG' THEN 'success'
          WHEN line.error_severity = 'FATAL' THEN 'error'
          ELSE 'success'
      END as level,

      -- connection
      line.database_name as database_name,
      line.user_name as database_user,
      line.connection_from as connection_from,
      meta.host as database_host,

      line.command_tag as command_tag,
      line.backend_type as backend_type,
      line.query_id as query_id,
      line.session_id as session_id,
      line.process_id as process_id,
      line.virtual_transaction_id as virtual_transaction_id,
      line.transaction_id as transaction_id,
      line.session_start_time as session_start_time,
      line.session_line_num as session_line_num,

      line.error_severity as error_severity,
      line.sql_state_code as sql_state_code,
      db.event_message as event_message,
      line.timestamp as operation_timestamp,
      db as raw_log_data

    from postgres_logs as db
    cross join unnest(db.metadata) as meta
    cross join unnest(meta.parsed) as line

WHERE
  db.id = '{{postgres_logs.id}}'
