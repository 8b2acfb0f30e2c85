# The alert on warming: by job, whether Cloud Scheduler's calls succeed; and whether rounds that succeed warm everything.

locals {
  # A call of this job has to succeed in so many seconds: three periods, and not less than the threshold says.
  warm_success_seconds = {
    for name, settings in local.warmed_endpoints :
    name => max(var.alert_thresholds.warming_minutes * 60, 3 * settings.warmEverySeconds)
  }

  # The condition has to hold for this part of it. A job that was just made has that long for its first call.
  warm_grace_seconds = 300

  warming_alerts = length(local.warmed_endpoints) == 0 ? {} : {
    warming-fails = {
      display_name = "Warming fails"
      severity     = "WARNING"
      meaning      = "Results go cold: Cloud Scheduler's calls of the function warm do not succeed, or queries fail in them."
      duration     = "${local.warm_grace_seconds}s"
      queries = merge(
        {
          for name, seconds in local.warm_success_seconds :
          "No successful call for ${name}" => "vector(1) unless sum(increase(logging_googleapis_com:user_${local.metric_prefix}_warm_calls{monitored_resource=\"cloud_scheduler_job\",job_id=\"${google_cloud_scheduler_job.warm[name].name}\"}[${seconds - local.warm_grace_seconds}s])) > 0\n"
        },
        {
          "Rounds with failures" = "sum(increase(logging_googleapis_com:user_${local.metric_prefix}_warm_failures{${local.run}}[30m])) >= 3\n"
        },
      )
    }
  }
}
