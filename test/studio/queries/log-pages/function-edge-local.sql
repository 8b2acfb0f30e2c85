
select id, function_edge_logs.timestamp, event_message
from function_edge_logs
order by timestamp desc
limit 100
