# What the service's own log says, as numbers. Each request is one line of JSON with httpRequest, requestId and the
# endpoint; that of a round of warming has warming.refreshed, warming.skipped and warming.failed as well.

locals {
  # Metrics are named in lower case with underscores, and belong to the whole project.
  metric_prefix = replace(var.name, "-", "_")

  function_log = {
    for name, functions in { all = local.functions, public = local.public_functions, warm = ["warm"] } :
    name => <<-EOT
      resource.type="cloud_run_revision"
      log_id("run.googleapis.com/stdout")
      resource.labels.location="${var.region}"
      resource.labels.service_name=(${join(" OR ", [for function in functions : "\"${local.function_names[function]}\""])})
    EOT
  }
}

resource "google_logging_metric" "requests" {
  name   = "${local.metric_prefix}_requests"
  filter = "${local.function_log.public}jsonPayload.requestId!=\"\"\nhttpRequest.status>0"

  label_extractors = {
    cache    = "EXTRACT(jsonPayload.cache)"
    endpoint = "EXTRACT(jsonPayload.endpoint)"
    status   = "EXTRACT(httpRequest.status)"
  }

  metric_descriptor {
    display_name = "Requests by endpoint, status and use of the cache"
    metric_kind  = "DELTA"
    value_type   = "INT64"
    unit         = "1"

    labels {
      key = "cache"
    }

    labels {
      key = "endpoint"
    }

    labels {
      key = "status"
    }
  }

  depends_on = [google_project_service.api]
}

resource "google_logging_metric" "latency" {
  name            = "${local.metric_prefix}_latency"
  filter          = "${local.function_log.public}jsonPayload.endpoint!=\"\"\nhttpRequest.status>0"
  value_extractor = "EXTRACT(httpRequest.latency)"

  label_extractors = {
    endpoint = "EXTRACT(jsonPayload.endpoint)"
  }

  metric_descriptor {
    display_name = "Latency of answers by endpoint"
    metric_kind  = "DELTA"
    value_type   = "DISTRIBUTION"
    unit         = "s"

    labels {
      key = "endpoint"
    }
  }

  bucket_options {
    exponential_buckets {
      scale              = 0.001
      growth_factor      = 1.4
      num_finite_buckets = 36
    }
  }

  depends_on = [google_project_service.api]
}

resource "google_logging_metric" "bytes_billed" {
  name            = "${local.metric_prefix}_bytes_billed"
  filter          = "${local.function_log.all}jsonPayload.bytesBilled>0"
  value_extractor = "EXTRACT(jsonPayload.bytesBilled)"

  label_extractors = {
    endpoint = "EXTRACT(jsonPayload.endpoint)"
  }

  metric_descriptor {
    display_name = "Bytes that BigQuery billed, by endpoint"
    metric_kind  = "DELTA"
    value_type   = "DISTRIBUTION"
    unit         = "By"

    labels {
      key = "endpoint"
    }
  }

  bucket_options {
    # BigQuery bills 10 MiB of each table at least.
    exponential_buckets {
      scale              = 10485760
      growth_factor      = 2
      num_finite_buckets = 24
    }
  }

  depends_on = [google_project_service.api]
}

resource "google_logging_metric" "warm_failures" {
  name   = "${local.metric_prefix}_warm_failures"
  filter = "${local.function_log.warm}(severity>=ERROR OR jsonPayload.warming.failed>0)"

  metric_descriptor {
    display_name = "Rounds of warming with failures"
    metric_kind  = "DELTA"
    value_type   = "INT64"
    unit         = "1"
  }

  depends_on = [google_project_service.api]
}

# By Cloud Scheduler's own log, where each job's name is a label of the entries.
resource "google_logging_metric" "warm_calls" {
  name   = "${local.metric_prefix}_warm_calls"
  filter = <<-EOT
    resource.type="cloud_scheduler_job"
    log_id("cloudscheduler.googleapis.com/executions")
    resource.labels.job_id:"${var.name}-warm-"
    jsonPayload."@type"="type.googleapis.com/google.cloud.scheduler.logging.AttemptFinished"
    severity<ERROR
  EOT

  metric_descriptor {
    display_name = "Calls of warm by Cloud Scheduler that succeeded"
    metric_kind  = "DELTA"
    value_type   = "INT64"
    unit         = "1"
  }

  depends_on = [google_project_service.api]
}

# The platform logs whole URLs, and those have people's SQL and project names in them; the service's own line of the
# same request has everything else.
resource "google_logging_project_exclusion" "request_urls" {
  name   = "${var.name}-request-urls"
  filter = <<-EOT
    resource.type="cloud_run_revision"
    log_id("run.googleapis.com/requests")
    resource.labels.location="${var.region}"
    resource.labels.service_name=(${join(" OR ", [for name in local.functions : "\"${local.function_names[name]}\""])})
  EOT

  depends_on = [google_project_service.api]
}
