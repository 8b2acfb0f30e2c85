# Alerts on what callers get: as the load balancer counts it, which sees what never reaches a function; and as Cloud Run
# counts it, where no other caller of the address thins the share out.

locals {
  load_balancer = "monitored_resource=\"https_lb_rule\",forwarding_rule_name=\"${google_compute_global_forwarding_rule.public.name}\""
  armor         = "monitored_resource=\"network_security_policy\",policy_name=\"${google_compute_security_policy.public.name}\""

  # Label matchers of the services' names.
  endpoint_services = "service_name=~\"${join("|", [for name in keys(local.endpoints) : local.function_names[name]])}\""
  public_services   = "service_name=~\"${join("|", [for name in local.public_functions : local.function_names[name]])}\""

  request_alerts = {
    error-ratio = {
      display_name = "Error ratio"
      severity     = "CRITICAL"
      meaning      = "Callers get 5xx."
      duration     = "0s"
      # Ten failures at least, so that one failure at night sends no alert.
      queries = {
        "Of a backend, at the load balancer" = <<-EOT
          sum by (backend_target_name) (increase(loadbalancing_googleapis_com:https_request_count{${local.load_balancer},response_code_class="500"}[10m]))
            / sum by (backend_target_name) (increase(loadbalancing_googleapis_com:https_request_count{${local.load_balancer}}[10m])) > ${var.alert_thresholds.error_ratio}
          and sum by (backend_target_name) (increase(loadbalancing_googleapis_com:https_request_count{${local.load_balancer},response_code_class="500"}[10m])) >= 10
        EOT
        "Of a function, at Cloud Run"        = <<-EOT
          sum by (service_name) (increase(run_googleapis_com:request_count{${local.run},${local.public_services},response_code_class="5xx"}[10m]))
            / sum by (service_name) (increase(run_googleapis_com:request_count{${local.run},${local.public_services}}[10m])) > ${var.alert_thresholds.error_ratio}
          and sum by (service_name) (increase(run_googleapis_com:request_count{${local.run},${local.public_services},response_code_class="5xx"}[10m])) >= 10
        EOT
      }
    }

    latency = {
      display_name = "Latency"
      severity     = "WARNING"
      meaning      = "Callers wait too long for answers of an endpoint."
      duration     = "0s"
      queries = {
        "95th percentile" = <<-EOT
          histogram_quantile(0.95, sum by (le, endpoint) (rate(logging_googleapis_com:user_${local.metric_prefix}_latency_bucket{${local.run}}[15m])))
            > ${var.alert_thresholds.p95_latency_seconds}
        EOT
      }
    }

    calls-turned-away = {
      display_name = "Calls turned away"
      severity     = "WARNING"
      meaning      = "A large share of all calls is answered 429, or is blocked by Cloud Armor."
      duration     = "0s"
      queries = {
        "Answers 429, at the load balancer" = <<-EOT
          sum(increase(loadbalancing_googleapis_com:https_request_count{${local.load_balancer},response_code="429"}[10m]))
            / sum(increase(loadbalancing_googleapis_com:https_request_count{${local.load_balancer}}[10m])) > ${var.alert_thresholds.turned_away_ratio}
          and sum(increase(loadbalancing_googleapis_com:https_request_count{${local.load_balancer},response_code="429"}[10m])) >= 50
        EOT
        "Blocked by Cloud Armor"            = <<-EOT
          sum(increase(networksecurity_googleapis_com:https_request_count{${local.armor},blocked="true"}[10m]))
            / sum(increase(networksecurity_googleapis_com:https_request_count{${local.armor}}[10m])) > ${var.alert_thresholds.turned_away_ratio}
          and sum(increase(networksecurity_googleapis_com:https_request_count{${local.armor},blocked="true"}[10m])) >= 50
        EOT
      }
    }

    tokens-refused = {
      display_name = "Tokens refused"
      severity     = "CRITICAL"
      meaning      = "Most calls of the endpoints are answered 401: the access tokens that callers have are not those that the service knows."
      duration     = "0s"
      queries = {
        "Answers 401, at Cloud Run" = <<-EOT
          sum(increase(run_googleapis_com:request_count{${local.run},${local.endpoint_services},response_code="401"}[10m]))
            / sum(increase(run_googleapis_com:request_count{${local.run},${local.endpoint_services}}[10m])) > ${var.alert_thresholds.unauthenticated_ratio}
          and sum(increase(run_googleapis_com:request_count{${local.run},${local.endpoint_services},response_code="401"}[10m])) >= 20
        EOT
      }
    }

    no-traffic = {
      display_name = "No traffic"
      severity     = "WARNING"
      meaning      = "No call has reached an endpoint for half an hour, and there were many in the hour before."
      duration     = "0s"
      queries = {
        "None for half an hour" = <<-EOT
          sum(increase(run_googleapis_com:request_count{${local.run},${local.endpoint_services}}[1h] offset 30m)) >= ${var.alert_thresholds.traffic_per_hour}
          unless sum(increase(run_googleapis_com:request_count{${local.run},${local.endpoint_services}}[30m])) > 0
        EOT
      }
    }
  }
}
