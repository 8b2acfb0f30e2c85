        -- routes with the most errors
        select
          request.path as path,
          request.method as method,
          request.search as search,
          response.status_code as status_code,
          count(t.id) as count
        from edge_logs t
          cross join unnest(metadata) as meta
          cross join unnest(meta.response) as response
          cross join unnest(meta.request) as request
          cross join unnest(request.headers) as headers
        where
          response.status_code >= 400
        AND REGEXP_CONTAINS(headers.user_agent, '.*')
        group by
          request.path, request.method, request.search, response.status_code
        order by
          count desc
        limit 10
