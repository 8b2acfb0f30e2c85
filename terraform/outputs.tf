output "base_url" {
  description = "Where the service answers: {base_url}/api/endpoints/query/<id or name>."
  value       = local.base_url
}

output "dashboard" {
  description = "The dashboard's page in the console."
  value       = "https://console.cloud.google.com/monitoring/dashboards/builder/${basename(google_monitoring_dashboard.service.id)}?project=${var.project}"
}

output "first_token_command" {
  description = "Run it in the folder of the code: it prints an access token, this once."
  value       = "npm run --silent lqe -- tokens issue --store firestore --google-project ${var.project} --firestore-database ${google_firestore_database.results.name} --name first"
}

output "function_names" {
  description = "The functions, by the name of their endpoint; warm is the one that Cloud Scheduler calls."
  value = merge(
    { for name, endpoint in local.endpoints : endpoint.settings.name => google_cloudfunctions2_function.endpoint[name].name },
    { warm = google_cloudfunctions2_function.warm.name },
  )
}

output "ip_address" {
  description = "What the A record of the domain must point to."
  value       = google_compute_global_address.public.address
}

locals {
  base_url = "${local.is_https ? "https" : "http"}://${coalesce(var.domain, google_compute_global_address.public.address)}"
}
