# The log tables: made from queries/sources, or those of an existing dataset. Each function reads the tables of its
# stored query and no others.

locals {
  log_project  = coalesce(var.log_dataset.project, var.project)
  log_dataset  = coalesce(var.log_dataset.id, "${replace(var.name, "-", "_")}_logs")
  log_location = coalesce(var.log_dataset.location, var.region)

  readers = merge([
    for function, tables in local.tables_of_function : {
      for table in tables : "${function}/${table}" => { function = function, table = table }
    }
  ]...)
}

resource "google_bigquery_dataset" "logs" {
  count = var.log_dataset.existing ? 0 : 1

  dataset_id                 = local.log_dataset
  friendly_name              = "Logs"
  location                   = local.log_location
  delete_contents_on_destroy = false

  depends_on = [google_project_service.api]
}

resource "google_bigquery_table" "log" {
  for_each = var.log_dataset.existing ? {} : local.table_schemas

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
  for_each = local.readers

  project    = local.log_project
  dataset_id = var.log_dataset.existing ? local.log_dataset : google_bigquery_dataset.logs[0].dataset_id
  table_id   = var.log_dataset.existing ? each.value.table : google_bigquery_table.log[each.value.table].table_id
  role       = "roles/bigquery.dataViewer"
  member     = google_service_account.function[each.value.function].member
}

# Running queries is billed to this project, wherever the tables are.
resource "google_project_iam_member" "query_runner" {
  for_each = local.functions

  project = var.project
  role    = "roles/bigquery.jobUser"
  member  = google_service_account.function[each.key].member
}
