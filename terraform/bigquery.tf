# The log tables: made from queries/sources, those of an existing dataset, or whatever log_tables names. Each function
# reads the tables of its stored query and no others.

locals {
  log_project  = coalesce(var.log_dataset.project, var.project)
  log_dataset  = coalesce(var.log_dataset.id, "${replace(var.name, "-", "_")}_logs")
  log_location = coalesce(var.log_dataset.location, var.region)

  # The sources whose tables lie in that dataset under their own names.
  dataset_sources = { for source, schema in local.table_schemas : source => schema if !contains(keys(var.log_tables), source) }
  made_sources    = var.log_dataset.existing ? {} : local.dataset_sources

  # Where each source lies that is not absent.
  source_tables = merge(
    { for source in keys(local.dataset_sources) : source => { project = local.log_project, dataset = local.log_dataset, table = source } },
    {
      for source, parts in {
        for source, table in var.log_tables :
        source => regex("^(?:(?P<project>.+)\\.)?(?P<dataset>[^.]+)\\.(?P<table>[^.]+)$", table) if table != null
      } : source => merge(parts, { project = coalesce(parts.project, var.project) })
    },
  )

  readers = merge([
    for function, sources in local.tables_of_function : {
      for source in sources : "${function}/${source}" => merge(local.source_tables[source], { function = function, source = source })
      if contains(keys(local.source_tables), source)
    }
  ]...)

  # A table of log_tables in another project is for its owner to open: the output rights_to_grant has the commands.
  own_readers = {
    for key, reader in local.readers : key => reader
    if contains(keys(local.dataset_sources), reader.source) || reader.project == var.project
  }
}

resource "google_bigquery_dataset" "logs" {
  count = length(local.made_sources) > 0 ? 1 : 0

  dataset_id                 = local.log_dataset
  friendly_name              = "Logs"
  location                   = local.log_location
  delete_contents_on_destroy = false

  depends_on = [google_project_service.api]
}

resource "google_bigquery_table" "log" {
  for_each = local.made_sources

  dataset_id          = google_bigquery_dataset.logs[0].dataset_id
  table_id            = each.key
  schema              = each.value
  clustering          = contains(jsondecode(each.value)[*].name, "project") ? ["project"] : null
  deletion_protection = var.deletion_protection

  # A query without time bounds is valid: the service itself reads it in widening windows.
  require_partition_filter = false

  time_partitioning {
    type          = var.partition_by
    field         = "timestamp"
    expiration_ms = var.retention_days * 24 * 60 * 60 * 1000
  }
}

resource "google_bigquery_table_iam_member" "reader" {
  for_each = local.own_readers

  project    = each.value.project
  dataset_id = contains(keys(local.made_sources), each.value.source) ? google_bigquery_dataset.logs[0].dataset_id : each.value.dataset
  table_id   = contains(keys(local.made_sources), each.value.source) ? google_bigquery_table.log[each.value.source].table_id : each.value.table
  role       = "roles/bigquery.dataViewer"
  member     = google_service_account.function[each.value.function].member
}

# Running queries is billed to this project, wherever the tables are.
resource "google_project_iam_member" "query_runner" {
  for_each = local.query_functions

  project = var.project
  role    = "roles/bigquery.jobUser"
  member  = google_service_account.function[each.key].member
}
