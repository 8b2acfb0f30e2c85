# The bundles of the functions. An object is named by the hash of its content, so that a change of the code is a
# new object and a deployment, and an unchanged build is nothing.

resource "google_storage_bucket" "source" {
  name                        = "${var.project}-${var.name}-source"
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
  account_id   = "${var.name}-build"
  display_name = "Builds the functions of ${var.name}"

  depends_on = [google_project_service.api]
}

# What a build does: it writes the function's container image, and its log.
resource "google_project_iam_member" "build" {
  for_each = toset([
    "roles/artifactregistry.writer",
    "roles/logging.logWriter",
  ])

  project = var.project
  role    = each.key
  member  = google_service_account.build.member
}

# It reads the bundles, and the copies of them that Cloud Functions builds from: in a bucket that the platform makes
# for all functions of a region, so that the name can be said here, and the bucket itself cannot.
resource "google_project_iam_member" "build_source" {
  project = var.project
  role    = "roles/storage.objectViewer"
  member  = google_service_account.build.member

  condition {
    title = "Sources of functions only"
    expression = join(" || ", [
      for bucket in [
        google_storage_bucket.source.name,
        "gcf-v2-sources-${google_storage_bucket.source.project_number}-${var.region}",
      ] :
      "resource.name.startsWith(\"projects/_/buckets/${bucket}/\")"
    ])
  }
}
