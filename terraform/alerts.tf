# Alerts. Most read what the platform measures, since a service that does not run logs nothing. Each notice says what the
# alert means and leads to its section in docs/operations.md, where its meaning stands word for word.

locals {
  run = "monitored_resource=\"cloud_run_revision\""

  # By the anchor of their section there, which is the name in lower case with hyphens.
  alerts = merge(
    local.request_alerts,
    local.instance_alerts,
    local.store_alerts,
    local.warming_alerts,
    local.uptime_alerts,
    local.cost_alerts,
    local.ingest_alerts,
  )

  cost_alerts = {
    bytes-billed = {
      display_name = "Bytes billed"
      severity     = "WARNING"
      meaning      = "BigQuery bills more in an hour than is meant to be used."
      duration     = "0s"
      queries = {
        "In an hour" = "sum(increase(logging_googleapis_com:user_${local.metric_prefix}_bytes_billed_sum{${local.run}}[1h])) > ${var.alert_thresholds.bytes_billed_per_hour}\n"
      }
    }
  }

  notification_channels = concat(google_monitoring_notification_channel.email[*].id, var.notification_channels)
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
  enabled               = !contains(var.silenced_alerts, each.key)
  severity              = each.value.severity
  combiner              = "OR"
  notification_channels = local.notification_channels

  dynamic "conditions" {
    for_each = each.value.queries

    content {
      display_name = conditions.key

      condition_prometheus_query_language {
        query               = conditions.value
        duration            = each.value.duration
        evaluation_interval = "60s"
        # A metric exists for Monitoring only after its first value.
        disable_metric_validation = true
      }
    }
  }

  alert_strategy {
    auto_close = "1800s"
  }

  documentation {
    mime_type = "text/markdown"
    content   = "${each.value.meaning} What to do: docs/operations.md#${each.key}. Dashboard: ${var.name}."

    dynamic "links" {
      for_each = var.runbook_url == null ? [] : ["${var.runbook_url}#${each.key}"]

      content {
        display_name = "What to do: ${each.value.display_name}"
        url          = links.value
      }
    }
  }

  depends_on = [
    google_logging_metric.bigquery_errors,
    google_logging_metric.bytes_billed,
    google_logging_metric.instance_exits,
    google_logging_metric.latency,
    google_logging_metric.warm_calls,
    google_logging_metric.warm_failures,
  ]
}
