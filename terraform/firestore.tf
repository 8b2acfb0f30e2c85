# Two databases: one for results, leases and what was asked for, which the functions write and which need no backup;
# one for the digests of access tokens, which the functions only read.

locals {
  # Documents of these collections say when they may go; the service itself looks at the time too, since deletion
  # lags behind.
  expiring_collections = toset(["lqe_asked", "lqe_cache", "lqe_cache_chunks", "lqe_leases"])
}

resource "google_firestore_database" "results" {
  name                    = "${var.name}-results"
  location_id             = var.region
  type                    = "FIRESTORE_NATIVE"
  delete_protection_state = var.deletion_protection ? "DELETE_PROTECTION_ENABLED" : "DELETE_PROTECTION_DISABLED"
  deletion_policy         = "DELETE"

  depends_on = [google_project_service.api]
}

# Access tokens stay until they are deleted, and what is deleted by mistake can be had back: any minute of the last
# seven days, or one of the daily backups.
resource "google_firestore_database" "tokens" {
  name                              = "${var.name}-tokens"
  location_id                       = var.region
  type                              = "FIRESTORE_NATIVE"
  point_in_time_recovery_enablement = "POINT_IN_TIME_RECOVERY_ENABLED"
  delete_protection_state           = var.deletion_protection ? "DELETE_PROTECTION_ENABLED" : "DELETE_PROTECTION_DISABLED"
  deletion_policy                   = "DELETE"

  depends_on = [google_project_service.api]
}

resource "google_firestore_backup_schedule" "tokens" {
  database  = google_firestore_database.tokens.name
  retention = "${30 * 24 * 60 * 60}s"

  daily_recurrence {}
}

resource "google_firestore_field" "expiry" {
  for_each = local.expiring_collections

  database   = google_firestore_database.results.name
  collection = each.key
  field      = "expiresAt"

  ttl_config {}

  # No query filters by it, and an index over rising times makes one server take all writes.
  index_config {}
}

# Answers are found by their documents' names; an index over their bytes would cost more than they do.
resource "google_firestore_field" "answer" {
  for_each = toset(["lqe_cache", "lqe_cache_chunks"])

  database   = google_firestore_database.results.name
  collection = each.key
  field      = "data"

  index_config {}
}

# Warming finds the sets that wait longest, of those that somebody asked for lately; what notes a new set finds those of
# its token, the one that was asked for longest ago first. Without these indexes both are refused.
resource "google_firestore_index" "asked" {
  for_each = {
    line  = ["endpoint", "waitingSince", "askedAt"]
    token = ["owner", "askedAt"]
  }

  database   = google_firestore_database.results.name
  collection = "lqe_asked"

  dynamic "fields" {
    for_each = each.value

    content {
      field_path = fields.value
      order      = "ASCENDING"
    }
  }
}

# No query filters by the parameters of a set.
resource "google_firestore_field" "parameters" {
  database   = google_firestore_database.results.name
  collection = "lqe_asked"
  field      = "parameters"

  index_config {}
}

# The functions write results, leases and what was asked for.
resource "google_project_iam_member" "results_user" {
  for_each = local.query_functions

  project = var.project
  role    = "roles/datastore.user"
  member  = google_service_account.function[each.key].member

  condition {
    title      = "${var.name}-results only"
    expression = "resource.name == \"projects/${var.project}/databases/${google_firestore_database.results.name}\""
  }
}

# They look access tokens up; warm is called without one.
resource "google_project_iam_member" "tokens_viewer" {
  for_each = setunion(local.public_functions, var.ingest ? ["ingest"] : [])

  project = var.project
  role    = "roles/datastore.viewer"
  member  = google_service_account.function[each.key].member

  condition {
    title      = "${var.name}-tokens only"
    expression = "resource.name == \"projects/${var.project}/databases/${google_firestore_database.tokens.name}\""
  }
}
