select timestamp, event_message, 'function_logs' as source
from function_logs
where to_json_string(metadata) like '%log%'
union all
select timestamp, event_message, 'function_edge_logs' as source
from function_edge_logs
where to_json_string(metadata) like '%POST%'
order by timestamp desc
limit 200
