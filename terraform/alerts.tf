# What to do on each of them: docs/deploy.md, which each notice links to by its heading.

locals {
  run = "monitored_resource=\"cloud_run_revision\""

  alerts = {
    error-ratio = {
      display_name = "Error ratio"
      severity     = "CRITICAL"
      # Ten failures at least, so that one failure at night wakes nobody.
      queries = [<<-EOT
        sum(increase(logging_googleapis_com:user_${local.metric_prefix}_requests{${local.run},status=~"5.."}[10m]))
          / sum(increase(logging_googleapis_com:user_${local.metric_prefix}_requests{${local.run}}[10m])) > ${var.alert_thresholds.error_ratio}
        and sum(increase(logging_googleapis_com:user_${local.metric_prefix}_requests{${local.run},status=~"5.."}[10m])) >= 10
      EOT
      ]
    }

    latency = {
      display_name = "Latency"
      severity     = "WARNING"
      queries = [<<-EOT
        histogram_quantile(0.95, sum by (le, endpoint) (rate(logging_googleapis_com:user_${local.metric_prefix}_latency_bucket{${local.run}}[15m])))
          > ${var.alert_thresholds.p95_latency_seconds}
      EOT
      ]
    }

    warming = {
      display_name = "Warming fails"
      severity     = "WARNING"
      queries = [
        "sum(increase(logging_googleapis_com:user_${local.metric_prefix}_warm_failures{${local.run}}[30m])) >= 3\n",
        "sum(increase(logging_googleapis_com:user_${local.metric_prefix}_warm_call_failures{monitored_resource=\"cloud_scheduler_job\"}[30m])) >= 3\n",
      ]
    }

    bytes-billed = {
      display_name = "Bytes billed"
      severity     = "WARNING"
      queries = [
        "sum(increase(logging_googleapis_com:user_${local.metric_prefix}_bytes_billed_sum{${local.run}}[1h])) > ${var.alert_thresholds.bytes_billed_per_hour}\n",
      ]
    }
  }

  notification_channels = google_monitoring_notification_channel.email[*].id
}

resource "google_monitoring_notification_channel" "email" {
  count = var.alert_email == null ? 0 : 1

  display_name = var.name
  type         = "email"
  labels       = { email_address = var.alert_email }

  depends_on = [google_project_service.api]

  lifecycle {
    # Alerts let go of it before it goes.
    create_before_destroy = true
  }
}

resource "google_monitoring_alert_policy" "alert" {
  for_each = local.alerts

  display_name          = "${var.name}: ${each.value.display_name}"
  severity              = each.value.severity
  combiner              = "OR"
  notification_channels = local.notification_channels

  dynamic "conditions" {
    for_each = each.value.queries

    content {
      display_name = "${each.value.display_name} ${conditions.key + 1}"

      condition_prometheus_query_language {
        query               = conditions.value
        duration            = "0s"
        evaluation_interval = "60s"
        # A log-based metric exists for Monitoring only after its first entry.
        disable_metric_validation = true
      }
    }
  }

  alert_strategy {
    auto_close = "1800s"
  }

  documentation {
    mime_type = "text/markdown"
    content   = "What to do: docs/deploy.md, section \"${each.value.display_name}\". Dashboard: ${var.name}."
  }

  depends_on = [
    google_logging_metric.bytes_billed,
    google_logging_metric.latency,
    google_logging_metric.requests,
    google_logging_metric.warm_call_failures,
    google_logging_metric.warm_failures,
  ]
}
