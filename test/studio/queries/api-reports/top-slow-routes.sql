        -- slowest routes
        select
          request.path as path,
          request.method as method,
          request.search as search,
          response.status_code as status_code,
          count(t.id) as count,
          avg(response.origin_time) as avg
        from edge_logs t
          cross join unnest(metadata) as meta
          cross join unnest(meta.response) as response
          cross join unnest(meta.request) as request
          cross join unnest(request.headers) as headers
        
        group by
          request.path, request.method, request.search, response.status_code
        order by
          avg desc
        limit 10
