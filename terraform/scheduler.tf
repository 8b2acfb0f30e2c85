# One job per endpoint whose settings ask for warming.

locals {
  # Cron counts minutes of an hour and hours of a day, so only periods that divide these come out even.
  warm_minutes = { for name, settings in local.warmed_endpoints : name => settings.warmEverySeconds / 60 }

  warm_schedules = {
    for name, minutes in local.warm_minutes : name => (
      contains([1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30], minutes) ? "*/${minutes} * * * *" :
      contains([1, 2, 3, 4, 6, 8, 12], minutes / 60) ? "0 */${minutes / 60} * * *" :
      minutes == 1440 ? "0 0 * * *" :
      null
    )
  }
}

resource "google_service_account" "scheduler" {
  account_id   = "${var.name}-scheduler"
  display_name = "Calls the function warm of ${var.name}"

  depends_on = [google_project_service.api]
}

resource "google_cloud_scheduler_job" "warm" {
  for_each = local.warmed_endpoints

  name             = "${var.name}-warm-${each.key}"
  region           = var.region
  schedule         = local.warm_schedules[each.key]
  time_zone        = "Etc/UTC"
  attempt_deadline = "${local.warm_timeout_seconds + 20}s"

  retry_config {
    retry_count          = 2
    min_backoff_duration = "10s"
    max_backoff_duration = "60s"
    max_doublings        = 2
  }

  http_target {
    http_method = "POST"
    uri         = "${local.warm_url}/"
    headers     = { "Content-Type" = "application/json" }
    body        = base64encode(jsonencode({ endpoint = each.value.name }))

    oidc_token {
      service_account_email = google_service_account.scheduler.email
      audience              = local.warm_url
    }
  }

  depends_on = [google_cloud_run_v2_service_iam_binding.warm_invoker]

  lifecycle {
    precondition {
      condition     = local.warm_schedules[each.key] != null
      error_message = "The endpoint ${each.value.name} has warmEverySeconds ${each.value.warmEverySeconds}, which cron cannot express: choose minutes that divide an hour (60, 120, 180, 240, 300, 360, 600, 720, 900, 1200 or 1800 seconds) or hours that divide a day (3600, 7200, 10800, 14400, 21600, 28800, 43200 or 86400 seconds)."
    }
  }
}
