# The key that signs paging cursors. It is made here and goes to Secret Manager alone: a write-only argument is
# neither in the state nor in a plan.

resource "google_secret_manager_secret" "cursor_key" {
  secret_id = "${var.name}-cursor-key"

  replication {
    auto {}
  }

  depends_on = [google_project_service.api]
}

resource "google_secret_manager_secret_version" "cursor_key" {
  secret                 = google_secret_manager_secret.cursor_key.id
  secret_data_wo         = sha256("${uuid()}${uuid()}")
  secret_data_wo_version = var.cursor_key_version

  lifecycle {
    # The functions read the new version before the old one goes.
    create_before_destroy = true
  }
}

resource "google_secret_manager_secret_iam_binding" "cursor_key" {
  project   = var.project
  secret_id = google_secret_manager_secret.cursor_key.secret_id
  role      = "roles/secretmanager.secretAccessor"
  members   = [for name in local.public_functions : google_service_account.function[name].member]
}
