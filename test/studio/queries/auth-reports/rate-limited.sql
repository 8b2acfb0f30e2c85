SELECT 
  timestamp_trunc(timestamp, hour) as timestamp,
  json_value(event_message, "$.path") AS path,
  json_value(event_message, "$.method") AS method,
  json_value(event_message, "$.error_code") AS error_code,
  COUNT(*) AS count
FROM auth_logs
WHERE json_value(event_message, "$.status") = '429'
GROUP BY timestamp, path, method, error_code
ORDER BY timestamp DESC, path, method, error_code
