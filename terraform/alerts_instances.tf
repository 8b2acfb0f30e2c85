# Alerts on the functions' instances: those that end by themselves, their memory, and their number.

locals {
  # What is close to the cap counts as at it: Cloud Run goes above and below by single instances.
  instances_near_cap = ceil(var.function.max_instances * 0.9)

  every_service = "service_name=~\"${join("|", values(local.function_names))}\""

  instance_alerts = merge(
    {
      instance-exits = {
        display_name = "Instance exits"
        severity     = "CRITICAL"
        meaning      = "Instances of a function end by themselves, or do not start."
        duration     = "0s"
        queries = {
          "By function" = "sum by (service_name) (increase(logging_googleapis_com:user_${local.metric_prefix}_instance_exits{${local.run}}[10m])) >= ${var.alert_thresholds.instance_exits}\n"
        }
      }

      instance-memory = {
        display_name = "Instance memory"
        severity     = "WARNING"
        meaning      = "Instances of a function use almost all of their memory, and are killed when they use more."
        duration     = "300s"
        queries = {
          "95th percentile" = "histogram_quantile(0.95, sum by (le, service_name) (rate(run_googleapis_com:container_memory_utilizations_bucket{${local.run},${local.every_service}}[10m]))) > ${var.alert_thresholds.memory_ratio}\n"
        }
      }
    },
    # With a single instance, one that works is at the cap.
    var.function.max_instances == 1 ? {} : {
      instance-cap = {
        display_name = "Instance cap"
        severity     = "WARNING"
        meaning      = "A function runs as many instances as it may; what comes on top waits, and is then answered 429 or 500 by the platform."
        duration     = "0s"
        queries = {
          "By function" = "sum by (service_name) (avg_over_time(run_googleapis_com:container_instance_count{${local.run},${local.public_services},state=\"active\"}[5m])) >= ${local.instances_near_cap}\n"
        }
      }
    },
  )
}

# Cloud Run has no metric of it, but says it in its own log, where the container itself cannot write. An exit with code 0
# is an instance that the platform stops.
resource "google_logging_metric" "instance_exits" {
  name   = "${local.metric_prefix}_instance_exits"
  filter = <<-EOT
    resource.type="cloud_run_revision"
    log_id("run.googleapis.com/varlog/system")
    resource.labels.location="${var.region}"
    resource.labels.service_name=(${join(" OR ", [for name in values(local.function_names) : "\"${name}\""])})
    textPayload=~"exit[(][1-9]|Memory limit of|terminated on signal|probe failed|failed to start"
  EOT

  metric_descriptor {
    display_name = "Instances that ended by themselves or did not start"
    metric_kind  = "DELTA"
    value_type   = "INT64"
    unit         = "1"
  }

  depends_on = [google_project_service.api]
}
