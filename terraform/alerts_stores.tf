# Alerts on what the functions call: BigQuery, by its own audit log and its quota; Firestore, by its count of calls.

locals {
  firestore = "monitored_resource=\"firestore.googleapis.com/Database\",database_id=~\"${google_firestore_database.results.name}|${google_firestore_database.tokens.name}\""

  # What is no part of normal work; NOT_FOUND, ABORTED, ALREADY_EXISTS and FAILED_PRECONDITION are.
  firestore_failures = "response_code=~\"DEADLINE_EXCEEDED|INTERNAL|PERMISSION_DENIED|RESOURCE_EXHAUSTED|UNAUTHENTICATED|UNAVAILABLE|UNKNOWN\""

  # Codes of google.rpc.Code in BigQuery's audit log, by what they mean to the service.
  bigquery_failures = {
    "Denied, or a table is gone" = "5|7"
    "Quota used up"              = "8"
    "Unavailable"                = "13|14"
  }

  store_alerts = {
    bigquery = {
      display_name = "BigQuery"
      severity     = "CRITICAL"
      meaning      = "BigQuery refuses the queries of the service, or fails."
      duration     = "0s"
      queries = merge(
        {
          for name, codes in local.bigquery_failures :
          name => "sum(increase(logging_googleapis_com:user_${local.metric_prefix}_bigquery_errors{monitored_resource=\"bigquery_project\",code=~\"${codes}\"}[10m])) >= ${var.alert_thresholds.bigquery_errors}\n"
        },
        {
          "A quota of the project is exceeded" = "max(max_over_time(serviceruntime_googleapis_com:quota_exceeded{monitored_resource=\"consumer_quota\",service=\"bigquery.googleapis.com\"}[10m])) > 0\n"
        },
      )
    }

    firestore = {
      display_name = "Firestore"
      severity     = "CRITICAL"
      meaning      = "Firestore refuses calls of the service, or fails."
      duration     = "0s"
      queries = {
        "By database" = <<-EOT
          sum by (database_id) (increase(firestore_googleapis_com:api_request_count{${local.firestore},${local.firestore_failures}}[10m]))
            / sum by (database_id) (increase(firestore_googleapis_com:api_request_count{${local.firestore}}[10m])) > ${var.alert_thresholds.error_ratio}
          and sum by (database_id) (increase(firestore_googleapis_com:api_request_count{${local.firestore},${local.firestore_failures}}[10m])) >= 10
        EOT
      }
    }
  }
}

# BigQuery writes each call with its status there, and that cannot be turned off.
resource "google_logging_metric" "bigquery_errors" {
  name   = "${local.metric_prefix}_bigquery_errors"
  filter = <<-EOT
    resource.type="bigquery_project"
    log_id("cloudaudit.googleapis.com/data_access")
    protoPayload.status.code=(${join(" OR ", flatten([for codes in values(local.bigquery_failures) : split("|", codes)]))})
    protoPayload.authenticationInfo.principalEmail=(${join(" OR ", [for name in local.functions : "\"${google_service_account.function[name].email}\""])})
  EOT

  label_extractors = {
    code = "EXTRACT(protoPayload.status.code)"
  }

  metric_descriptor {
    display_name = "Calls that BigQuery refused or failed, by code"
    metric_kind  = "DELTA"
    value_type   = "INT64"
    unit         = "1"

    labels {
      key = "code"
    }
  }

  depends_on = [google_project_service.api]
}
