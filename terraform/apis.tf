locals {
  apis = toset(concat(
    [
      "artifactregistry.googleapis.com",
      "bigquery.googleapis.com",
      "cloudbuild.googleapis.com",
      "cloudfunctions.googleapis.com",
      "cloudresourcemanager.googleapis.com",
      "cloudscheduler.googleapis.com",
      "compute.googleapis.com",
      "firestore.googleapis.com",
      "iam.googleapis.com",
      "logging.googleapis.com",
      "monitoring.googleapis.com",
      "run.googleapis.com",
      "secretmanager.googleapis.com",
      "storage.googleapis.com",
    ],
    var.budget == null ? [] : ["billingbudgets.googleapis.com"],
    var.ingest ? ["pubsub.googleapis.com"] : [],
  ))
}

resource "google_project_service" "api" {
  for_each = local.apis

  service = each.key
  # Other things in the project may need the API too.
  disable_on_destroy = false
}
