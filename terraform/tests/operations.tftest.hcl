# Warming, alerts and the budget.

mock_provider "google" {
  source = "./tests/mocks"
}

variables {
  project = "acme-logs"
  region  = "europe-west1"
  domain  = "logs.example.com"
}

run "warming" {
  assert {
    condition = {
      for name, job in google_cloud_scheduler_job.warm :
      jsondecode(base64decode(one(job.http_target).body)).endpoint => job.schedule
    } == { "usage.api-counts" = "*/5 * * * *" }
    error_message = "usage.api-counts, and nothing else, is not warmed every five minutes."
  }

  assert {
    condition = alltrue([
      for job in google_cloud_scheduler_job.warm :
      one(job.http_target).http_method == "POST"
      && one(one(job.http_target).oidc_token).service_account_email == google_service_account.scheduler.email
      && one(one(job.http_target).oidc_token).audience == one(google_cloudfunctions2_function.warm.service_config).environment_variables["LQE_WARM_AUDIENCE"]
      && one(one(job.http_target).oidc_token).service_account_email == one(google_cloudfunctions2_function.warm.service_config).environment_variables["LQE_WARM_SERVICE_ACCOUNT"]
    ])
    error_message = "A job does not call with the identity and the audience that the function expects."
  }

  assert {
    condition = alltrue([
      for job in google_cloud_scheduler_job.warm :
      tonumber(trimsuffix(job.attempt_deadline, "s")) > one(google_cloudfunctions2_function.warm.service_config).timeout_seconds
      && one(job.retry_config).retry_count == 2
    ])
    error_message = "A job gives up before the function does, or is not tried again."
  }
}

run "without_notices" {
  assert {
    condition     = length(google_monitoring_notification_channel.email) == 0 && length(google_billing_budget.project) == 0
    error_message = "Notices go out, or there is a budget, without being asked for."
  }
}

run "with_notices" {
  variables {
    alert_email      = "oncall@example.com"
    alert_thresholds = { error_ratio = 0.25 }
    budget           = { billing_account = "012345-6789AB-CDEF01", monthly_amount = 200 }
  }

  assert {
    condition = alltrue([
      for policy in google_monitoring_alert_policy.alert :
      policy.notification_channels == tolist([google_monitoring_notification_channel.email[0].id])
    ])
    error_message = "An alert does not reach the address."
  }

  assert {
    condition     = strcontains(google_monitoring_alert_policy.alert["error-ratio"].conditions[0].condition_prometheus_query_language[0].query, "> 0.25")
    error_message = "The threshold that was given is not the alert's."
  }

  assert {
    condition     = one(one(google_billing_budget.project[0].amount).specified_amount).units == "200"
    error_message = "The budget is another amount."
  }

  assert {
    condition     = one(one(google_billing_budget.project[0].budget_filter).projects) == "projects/${google_storage_bucket.source.project_number}"
    error_message = "The budget is for more than this project."
  }
}
