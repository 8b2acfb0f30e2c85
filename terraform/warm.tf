# The function that refreshes cached results before they expire. Cloud Scheduler calls it, and no one else can.

locals {
  # Predictable, so that the function knows its audience before it exists.
  warm_url = "https://${local.function_names["warm"]}-${google_storage_bucket.source.project_number}.${var.region}.run.app"

  warm_timeout_seconds = 300
}

resource "google_cloudfunctions2_function" "warm" {
  name     = local.function_names["warm"]
  location = var.region

  build_config {
    runtime         = "nodejs24"
    entry_point     = "warm"
    service_account = google_service_account.build.id

    source {
      storage_source {
        bucket = google_storage_bucket.source.name
        object = google_storage_bucket_object.bundle["warm"].name
      }
    }
  }

  service_config {
    service_account_email            = google_service_account.function["warm"].email
    available_cpu                    = "1"
    available_memory                 = "${var.function.memory_mib}Mi"
    max_instance_request_concurrency = 10
    min_instance_count               = 0
    max_instance_count               = 2
    timeout_seconds                  = local.warm_timeout_seconds
    ingress_settings                 = "ALLOW_INTERNAL_ONLY"
    all_traffic_on_latest_revision   = true

    environment_variables = merge(local.environment, local.table_environment, {
      # It checks no access token: the platform lets only the scheduler call it.
      LQE_TOKEN_STORE          = "file"
      LQE_WARM_AUDIENCE        = local.warm_url
      LQE_WARM_CONCURRENCY     = "4"
      LQE_WARM_DEADLINE        = tostring((local.warm_timeout_seconds - 60) * 1000)
      LQE_WARM_MAX_BYTES       = tostring(var.warming.max_bytes_per_round)
      LQE_WARM_SERVICE_ACCOUNT = google_service_account.scheduler.email
      LQE_WARM_WINDOW          = "3600"
    })
  }

  depends_on = [
    google_project_iam_member.build,
    google_project_iam_member.build_source,
  ]
}

resource "google_cloud_run_v2_service_iam_binding" "warm_invoker" {
  project  = var.project
  location = var.region
  name     = google_cloudfunctions2_function.warm.name
  role     = "roles/run.invoker"
  members  = [google_service_account.scheduler.member]
}
