# The service as callers reach it: Google's checkers, in several parts of the world, ask the gateway through DNS, the
# certificate, the load balancer and Cloud Armor. What answers has to be the service: the body is looked at, too.

locals {
  uptime_checks = var.uptime_check.enabled ? {
    healthz = { path = "/healthz", content = "{\"status\":\"ok\"}" }
    readyz  = { path = "/readyz", content = "{\"status\":\"ready\"}" }
  } : {}

  # A check is made in each period; a place counts as failing when three in a row did.
  uptime_window = "${3 * var.uptime_check.period_seconds}s"

  uptime_ids = { for name, check in google_monitoring_uptime_check_config.public : name => check.uptime_check_id }

  uptime_failing = {
    for name, id in local.uptime_ids : name => <<-EOT
      count(max_over_time(monitoring_googleapis_com:uptime_check_check_passed{monitored_resource="uptime_url",check_id="${id}"}[${local.uptime_window}]) == 0) >= 2
    EOT
  }

  uptime_alerts = merge(
    var.uptime_check.enabled ? {
      unreachable = {
        display_name = "Unreachable"
        severity     = "CRITICAL"
        meaning      = "The service does not answer at its address, or something else answers there."
        duration     = "0s"
        queries      = { "/healthz, from two places at least" = local.uptime_failing["healthz"] }
      }

      not-ready = {
        display_name = "Not ready"
        severity     = "CRITICAL"
        meaning      = "The service cannot reach BigQuery, or not in time."
        duration     = "0s"
        queries      = { "/readyz, from two places at least" = local.uptime_failing["readyz"] }
      }
    } : {},
    var.uptime_check.enabled && local.is_https ? {
      certificate = {
        display_name = "Certificate"
        severity     = "WARNING"
        meaning      = "The certificate of the address expires soon and has not been renewed."
        duration     = "0s"
        queries = {
          "Days left" = "min(min_over_time(monitoring_googleapis_com:uptime_check_time_until_ssl_cert_expires{monitored_resource=\"uptime_url\",check_id=\"${local.uptime_ids["healthz"]}\"}[10m])) < ${var.alert_thresholds.certificate_days}\n"
        }
      }
    } : {},
  )
}

resource "google_monitoring_uptime_check_config" "public" {
  for_each = local.uptime_checks

  display_name     = "${var.name}: ${each.value.path}"
  period           = "${var.uptime_check.period_seconds}s"
  timeout          = "10s"
  selected_regions = length(var.uptime_check.regions) == 0 ? null : var.uptime_check.regions

  http_check {
    path         = each.value.path
    port         = local.is_https ? 443 : 80
    use_ssl      = local.is_https
    validate_ssl = var.domain != null && local.is_https

    accepted_response_status_codes {
      status_value = 200
    }
  }

  content_matchers {
    content = each.value.content
    matcher = "CONTAINS_STRING"
  }

  monitored_resource {
    type = "uptime_url"

    labels = {
      project_id = var.project
      host       = coalesce(var.domain, google_compute_global_address.public.address)
    }
  }

  depends_on = [google_project_service.api]

  lifecycle {
    # Another host is another check, and alerts let go of the old one first.
    create_before_destroy = true
  }
}
