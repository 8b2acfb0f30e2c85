    select 
      timestamp_trunc(timestamp, day) as timestamp,
      json_value(event_message, "$.auth_event.traits.provider") as provider,
      count(*) as count
    from auth_logs
    where json_value(event_message, "$.auth_event.action") = 'user_signedup'
    group by timestamp, provider
    order by timestamp desc, provider
