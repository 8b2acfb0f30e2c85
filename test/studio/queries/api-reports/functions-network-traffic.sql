        select
          cast(timestamp_trunc(t.timestamp, hour) as datetime) as timestamp,
          coalesce(safe_divide(sum(cast(coalesce(headers.content_length, "0") as int64)), 1000000), 0) as ingress_mb,
          coalesce(safe_divide(sum(cast(coalesce(answer_headers.content_length, "0") as int64)), 1000000), 0) as egress_mb,
        FROM
          function_edge_logs t
          cross join unnest(metadata) as meta
          cross join unnest(meta.response) as response
          cross join unnest(meta.request) as request
          cross join unnest(request.headers) as headers
          cross join unnest(response.headers) as answer_headers
        GROUP BY
          timestamp
        ORDER BY
          timestamp ASC
