        -- calls of functions have a search, too
        select
          request.pathname as path,
          request.method as method,
          request.search as search,
          response.status_code as status_code,
          count(t.id) as count
        from function_edge_logs t
          cross join unnest(metadata) as meta
          cross join unnest(meta.response) as response
          cross join unnest(meta.request) as request
          cross join unnest(request.headers) as headers
        group by
          request.pathname, request.method, request.search, response.status_code
        order by
          count desc
        limit 10
