locals {
  charts = [
    {
      title = "Requests a second by endpoint and status"
      query = "sum by (endpoint, status) (rate(logging_googleapis_com:user_${local.metric_prefix}_requests{${local.run}}[5m]))"
    },
    {
      title = "Share of answers that are 5xx"
      query = "sum(rate(logging_googleapis_com:user_${local.metric_prefix}_requests{${local.run},status=~\"5..\"}[5m])) / sum(rate(logging_googleapis_com:user_${local.metric_prefix}_requests{${local.run}}[5m]))"
    },
    {
      title = "95th percentile of latency by endpoint, in seconds"
      query = "histogram_quantile(0.95, sum by (le, endpoint) (rate(logging_googleapis_com:user_${local.metric_prefix}_latency_bucket{${local.run}}[5m])))"
    },
    {
      title = "Answers by use of the cache"
      query = "sum by (cache) (rate(logging_googleapis_com:user_${local.metric_prefix}_requests{${local.run},status=\"200\"}[5m]))"
    },
    {
      title = "Bytes billed in an hour by endpoint"
      query = "sum by (endpoint) (increase(logging_googleapis_com:user_${local.metric_prefix}_bytes_billed_sum{${local.run}}[1h]))"
    },
    {
      title = "Rounds of warming with failures in an hour"
      query = "sum(increase(logging_googleapis_com:user_${local.metric_prefix}_warm_failures{${local.run}}[1h]))"
    },
    {
      title = "Instances by function"
      query = "sum by (service_name) (run_googleapis_com:container_instance_count{${local.run},service_name=~\"${join("|", values(local.function_names))}\"})"
    },
    {
      title = "Requests turned away by Cloud Armor, a second"
      query = "sum(rate(networksecurity_googleapis_com:https_request_count{policy_name=\"${google_compute_security_policy.public.name}\",blocked=\"true\"}[5m]))"
    },
  ]
}

resource "google_monitoring_dashboard" "service" {
  dashboard_json = jsonencode({
    displayName = var.name
    mosaicLayout = {
      columns = 12
      tiles = [
        for index, chart in local.charts : merge(
          # The API leaves out a position of 0, and every plan would show it as a change.
          index % 2 == 0 ? {} : { xPos = 6 },
          index < 2 ? {} : { yPos = floor(index / 2) * 4 },
          {
            width  = 6
            height = 4
            widget = {
              title = chart.title
              xyChart = {
                dataSets = [{
                  plotType        = "LINE"
                  timeSeriesQuery = { prometheusQuery = chart.query }
                }]
              }
            }
        })
      ]
    }
  })

  depends_on = [google_project_service.api]
}
