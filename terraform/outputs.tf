output "alert_policies" {
  description = "Whole names of the alerts, for snoozes, by the names in docs/operations.md."
  value       = { for name, policy in google_monitoring_alert_policy.alert : name => policy.name }
}

output "base_url" {
  description = "Where the service answers: {base_url}/api/endpoints/query/<id or name>."
  value       = local.base_url
}

output "dashboard" {
  description = "The dashboard's page in the console."
  value       = "https://console.cloud.google.com/monitoring/dashboards/builder/${basename(google_monitoring_dashboard.service.id)}?project=${var.project}"
}

output "explorer" {
  description = "Where people open the explorer; null where it is off."
  value       = var.explorer ? "${local.base_url}/" : null
}

output "first_token_command" {
  description = "Run it in the folder of the code: it prints an access token, this once, which expires after 90 days."
  value       = "npx lqe tokens issue --store firestore --google-project ${var.project} --token-database ${google_firestore_database.tokens.name} --name first --expires 90d"
}

output "function_names" {
  description = "The functions, by the name of their endpoint; gateway answers every other path, and Cloud Scheduler calls warm."
  value = merge(
    { for name, endpoint in local.endpoints : endpoint.settings.name => google_cloudfunctions2_function.public[name].name },
    { gateway = google_cloudfunctions2_function.public["gateway"].name },
    { warm = google_cloudfunctions2_function.warm.name },
  )
}

output "ingest_topics" {
  description = "The Pub/Sub topics by source: whoever may publish to one needs no function. Empty without ingest."
  value       = { for source, topic in google_pubsub_topic.source : source => topic.id }
}

output "ingest_url" {
  description = "Where entries are sent with POST, with ?source=<source>; null without ingest."
  value       = var.ingest ? "${local.base_url}/api/logs" : null
}

output "ip_address" {
  description = "What the A record of the domain must point to."
  value       = google_compute_global_address.public.address
}

output "rights_to_grant" {
  description = "Commands for whoever owns the tables of log_tables in other projects: they give each function the right to read its own."
  value = [
    for key, reader in local.readers :
    "bq add-iam-policy-binding --table=true --member=${google_service_account.function[reader.function].member} --role=roles/bigquery.dataViewer '${reader.project}:${reader.dataset}.${reader.table}'"
    if !contains(keys(local.own_readers), key)
  ]
}

locals {
  base_url = "${local.is_https ? "https" : "http"}://${coalesce(var.domain, google_compute_global_address.public.address)}"
}
