        -- requests, country by country
        select
          cf.country as country,
          count(t.id) as count
        from edge_logs t
          cross join unnest(metadata) as meta
          cross join unnest(meta.response) as response
          cross join unnest(meta.request) as request
          cross join unnest(request.headers) as headers
          cross join unnest(request.cf) as cf
        where
          cf.country is not null
        group by
          cf.country
