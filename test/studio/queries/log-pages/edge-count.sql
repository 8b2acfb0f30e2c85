SELECT count(*) as count FROM edge_logs cross join unnest(metadata) as meta
  cross join unnest(meta.request) as request
  cross join unnest(meta.response) as response where (request.path like '/storage/%')
