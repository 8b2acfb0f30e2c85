# The bundles of the functions. An object is named by the hash of its content, so that a change of the code is a
# new object and a deployment, and an unchanged build is nothing.

resource "google_storage_bucket" "source" {
  name                        = "${var.project}-lqe-source"
  location                    = var.region
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"
  force_destroy               = true

  depends_on = [google_project_service.api]
}

resource "google_storage_bucket_object" "bundle" {
  for_each = local.functions

  bucket = google_storage_bucket.source.name
  name   = try("functions/${each.key}-${local.bundles[each.key].sha256}.zip", "functions/${each.key}.zip")
  source = try("${local.code_directory}/dist/${local.bundles[each.key].file}", null)

  lifecycle {
    # The function moves to the new object before the old one goes.
    create_before_destroy = true

    precondition {
      condition     = contains(keys(local.bundles), each.key)
      error_message = "dist/manifest.json has no function ${each.key}; run \"npm run build\" after changing queries/."
    }
  }
}

# Builds the functions' containers; the default accounts have far more rights, or none where an organisation says so.
resource "google_service_account" "build" {
  account_id   = "lqe-build"
  display_name = "Builds the functions of log-query-endpoints"

  depends_on = [google_project_service.api]
}

resource "google_project_iam_member" "build" {
  for_each = toset([
    "roles/artifactregistry.writer",
    "roles/logging.logWriter",
    "roles/storage.objectViewer",
  ])

  project = var.project
  role    = each.key
  member  = google_service_account.build.member
}
