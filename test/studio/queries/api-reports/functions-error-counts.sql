        --the same report over the calls of functions: error-counts
        select
          cast(timestamp_trunc(t.timestamp, hour) as datetime) as timestamp,
          count(t.id) as count
        FROM function_edge_logs t
          cross join unnest(metadata) as meta
          cross join unnest(meta.response) as response
          cross join unnest(meta.request) as request
          cross join unnest(request.headers) as headers
          WHERE response.status_code >= 200
        GROUP BY
          timestamp
        ORDER BY
          timestamp ASC
