# Alerts: what there is with and without an address, HTTPS, warming and more than one instance; where notices go and lead.

mock_provider "google" {
  source = "./tests/mocks"
}

variables {
  project = "acme-logs"
  region  = "europe-west1"
  domain  = "logs.example.com"
}

run "by_default" {
  assert {
    condition = toset(keys(google_monitoring_alert_policy.alert)) == toset([
      "bigquery", "bytes-billed", "calls-turned-away", "certificate", "error-ratio", "firestore", "instance-cap",
      "instance-exits", "instance-memory", "latency", "no-traffic", "not-ready", "tokens-refused", "unreachable", "warming-fails",
    ])
    error_message = "An alert is missing, or there is one that the test does not know."
  }

  assert {
    condition     = alltrue([for policy in google_monitoring_alert_policy.alert : policy.enabled && contains(["CRITICAL", "WARNING"], policy.severity)])
    error_message = "An alert is turned off, or has no severity."
  }

  assert {
    condition = alltrue(flatten([
      for policy in google_monitoring_alert_policy.alert : [
        for condition in policy.conditions :
        length(condition.display_name) > 0 && one(condition.condition_prometheus_query_language).disable_metric_validation
      ]
    ]))
    error_message = "A condition has no name, or waits for a metric that has no value yet."
  }

  assert {
    condition     = alltrue([for policy in google_monitoring_alert_policy.alert : length(one(policy.documentation).links) == 0])
    error_message = "A notification has an address that was not configured."
  }
}

run "checks_of_a_domain" {
  assert {
    condition = alltrue([
      for check in google_monitoring_uptime_check_config.public :
      one(check.monitored_resource).labels["host"] == "logs.example.com" && one(check.http_check).port == 443
      && one(check.http_check).use_ssl && one(check.http_check).validate_ssl && check.period == "60s"
    ])
    error_message = "A check does not call the domain over HTTPS, or accepts any certificate."
  }

  assert {
    condition     = toset([for check in google_monitoring_uptime_check_config.public : one(check.http_check).path]) == toset(["/healthz", "/readyz"])
    error_message = "Other pages are called than /healthz and /readyz."
  }

  assert {
    condition     = alltrue([for check in google_monitoring_uptime_check_config.public : one(one(check.http_check).accepted_response_status_codes).status_value == 200 && one(check.content_matchers).matcher == "CONTAINS_STRING"])
    error_message = "A check takes any answer for the service's."
  }
}

run "checks_of_an_address" {
  variables {
    domain      = null
    certificate = "trial"
  }

  assert {
    condition = alltrue([
      for check in google_monitoring_uptime_check_config.public :
      one(check.monitored_resource).labels["host"] == "203.0.113.7" && one(check.http_check).use_ssl && !one(check.http_check).validate_ssl
    ])
    error_message = "A check does not call the address, or refuses the certificate of a trial."
  }

  assert {
    condition     = contains(keys(google_monitoring_alert_policy.alert), "certificate")
    error_message = "No alert reports that the certificate expires."
  }
}

run "checks_without_https" {
  variables {
    domain    = null
    http_only = true
  }

  assert {
    condition     = alltrue([for check in google_monitoring_uptime_check_config.public : one(check.http_check).port == 80 && !one(check.http_check).use_ssl && !one(check.http_check).validate_ssl])
    error_message = "A check calls a port where nothing answers."
  }

  assert {
    condition     = !contains(keys(google_monitoring_alert_policy.alert), "certificate") && contains(keys(google_monitoring_alert_policy.alert), "unreachable")
    error_message = "There is an alert on a certificate that there is not, or none on the address."
  }
}

run "without_checks" {
  variables {
    uptime_check = { enabled = false }
  }

  assert {
    condition     = length(google_monitoring_uptime_check_config.public) == 0 && length(setintersection(keys(google_monitoring_alert_policy.alert), ["certificate", "not-ready", "unreachable"])) == 0
    error_message = "There are checks that are turned off, or alerts that need them."
  }
}

run "fewer_checks" {
  variables {
    uptime_check = { period_seconds = 300, regions = ["EUROPE", "USA_IOWA", "ASIA_PACIFIC"] }
  }

  assert {
    condition     = alltrue([for check in google_monitoring_uptime_check_config.public : check.period == "300s" && length(check.selected_regions) == 3])
    error_message = "Checks come more often, or from more places, than was asked for."
  }

  assert {
    condition     = strcontains(jsonencode(google_monitoring_alert_policy.alert["unreachable"].conditions), "[900s]")
    error_message = "The alert looks at less than three checks."
  }
}

run "one_instance" {
  variables {
    function = { max_instances = 1 }
  }

  assert {
    condition     = !contains(keys(google_monitoring_alert_policy.alert), "instance-cap")
    error_message = "The only instance is an alert whenever it works."
  }
}

run "cap_of_instances" {
  variables {
    function = { max_instances = 50 }
  }

  assert {
    condition     = strcontains(jsonencode(google_monitoring_alert_policy.alert["instance-cap"].conditions), "= 45\\n")
    error_message = "The alert is not nine tenths of the cap."
  }
}

run "notices" {
  variables {
    alert_email           = "oncall@example.com"
    budget                = { billing_account = "012345-6789AB-CDEF01", monthly_amount = 200 }
    notification_channels = ["projects/acme-logs/notificationChannels/12345"]
    runbook_url           = "https://example.com/docs/operations.md"
    silenced_alerts       = ["no-traffic"]
  }

  assert {
    condition = alltrue([
      for policy in google_monitoring_alert_policy.alert :
      policy.notification_channels == tolist([google_monitoring_notification_channel.email[0].id, "projects/acme-logs/notificationChannels/12345"])
    ])
    error_message = "An alert does not reach the address and the channel."
  }

  assert {
    condition     = one(one(google_billing_budget.project[0].all_updates_rule).monitoring_notification_channels) == google_monitoring_notification_channel.email[0].id
    error_message = "Notices of the budget go to a channel that is no address."
  }

  assert {
    condition     = one(one(google_monitoring_alert_policy.alert["calls-turned-away"].documentation).links).url == "https://example.com/docs/operations.md#calls-turned-away"
    error_message = "A notice does not lead to its section."
  }

  assert {
    condition     = [for name, policy in google_monitoring_alert_policy.alert : name if !policy.enabled] == ["no-traffic"]
    error_message = "Another alert is silent than the one that was named."
  }
}

run "warming" {
  assert {
    condition     = strcontains(jsonencode(google_monitoring_alert_policy.alert["warming-fails"].conditions), google_cloud_scheduler_job.warm["usage-api-counts"].name) && one(google_monitoring_alert_policy.alert["warming-fails"].conditions[0].condition_prometheus_query_language).duration == "300s"
    error_message = "The job is not looked at, or rings before its first call."
  }

  assert {
    condition     = strcontains(google_monitoring_alert_policy.alert["warming-fails"].conditions[0].condition_prometheus_query_language[0].query, "[600s]")
    error_message = "Calls may fail for longer than 15 minutes, or for less."
  }
}
