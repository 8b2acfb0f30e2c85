      --people who did something
    select 
      timestamp_trunc(timestamp, hour) as timestamp,
      count(distinct json_value(f.event_message, "$.auth_event.actor_id")) as count
    from auth_logs f
    where json_value(f.event_message, "$.auth_event.action") in (
      'login', 'user_signedup', 'token_refreshed', 'user_modified'
    )
    group by timestamp
    order by timestamp desc
