# Cached results, leases, what was asked, and the digests of access tokens.

locals {
  # Documents of these collections say when they may go; the service itself looks at the time too, since deletion
  # lags behind. Access tokens stay until they are deleted.
  expiring_collections = toset(["lqe_asked", "lqe_cache", "lqe_cache_chunks", "lqe_leases"])
}

resource "google_firestore_database" "results" {
  name                    = "log-query-endpoints"
  location_id             = var.region
  type                    = "FIRESTORE_NATIVE"
  delete_protection_state = var.deletion_protection ? "DELETE_PROTECTION_ENABLED" : "DELETE_PROTECTION_DISABLED"
  deletion_policy         = "DELETE"

  depends_on = [google_project_service.api]
}

resource "google_firestore_field" "expiry" {
  for_each = local.expiring_collections

  database   = google_firestore_database.results.name
  collection = each.key
  field      = "expiresAt"

  ttl_config {}

  # Nobody searches by it, and an index over rising times makes one server take all writes.
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

resource "google_project_iam_member" "firestore_user" {
  for_each = local.functions

  project = var.project
  role    = "roles/datastore.user"
  member  = google_service_account.function[each.key].member

  condition {
    title      = "log-query-endpoints only"
    expression = "resource.name == \"projects/${var.project}/databases/${google_firestore_database.results.name}\""
  }
}
