# The way in: the function that takes entries, a Pub/Sub topic for each source, and a subscription that writes its messages into
# the source's table. Whoever may publish to a topic needs no function. Nothing of this is made without "ingest = true".

locals {
  # Tables of log_tables belong to others.
  ingest_sources = var.ingest ? local.dataset_sources : {}
  ingest_prefix  = "${var.name}-logs-"

  # It writes the messages of a BigQuery subscription, and those that it gives up (https://cloud.google.com/pubsub/docs/handling-failures).
  pubsub_agent = "serviceAccount:service-${google_storage_bucket.source.project_number}@gcp-sa-pubsub.iam.gserviceaccount.com"

  ingest_environment = {
    for name in [
      "LQE_CALLER_POSITION", "LQE_GOOGLE_PROJECT", "LQE_LOG_FORMAT", "LQE_LOG_LEVEL", "LQE_TOKEN_DATABASE",
      "LQE_TOKEN_STORE", "LQE_WAREHOUSE", "NODE_COMPILE_CACHE", "NODE_OPTIONS",
    ] : name => local.environment[name]
  }
}

resource "google_pubsub_topic" "source" {
  for_each = local.ingest_sources

  name = "${local.ingest_prefix}${each.key}"

  depends_on = [google_project_service.api]
}

resource "google_pubsub_subscription" "table" {
  for_each = local.ingest_sources

  name  = "${local.ingest_prefix}${each.key}"
  topic = google_pubsub_topic.source[each.key].id
  # What BigQuery does not take at the moment waits for a week, the longest that a subscription keeps.
  message_retention_duration = "604800s"

  bigquery_config {
    table = join(".", [
      local.log_project,
      local.log_dataset,
      contains(keys(local.made_sources), each.key) ? google_bigquery_table.log[each.key].table_id : each.key,
    ])
    use_table_schema    = true
    drop_unknown_fields = true
  }

  dead_letter_policy {
    dead_letter_topic     = google_pubsub_topic.dead_letters[0].id
    max_delivery_attempts = 20
  }

  retry_policy {
    minimum_backoff = "10s"
    maximum_backoff = "600s"
  }

  expiration_policy {
    ttl = ""
  }

  depends_on = [google_bigquery_table_iam_member.ingest_writer]
}

# Messages that the tables did not take, for a person to look at.
resource "google_pubsub_topic" "dead_letters" {
  count = var.ingest ? 1 : 0

  name = "${var.name}-dead-letters"

  depends_on = [google_project_service.api]
}

resource "google_pubsub_subscription" "dead_letters" {
  count = var.ingest ? 1 : 0

  name                       = "${var.name}-dead-letters"
  topic                      = google_pubsub_topic.dead_letters[0].id
  message_retention_duration = "2678400s"
  ack_deadline_seconds       = 600

  expiration_policy {
    ttl = ""
  }
}

resource "google_bigquery_table_iam_member" "ingest_writer" {
  for_each = local.ingest_sources

  project    = local.log_project
  dataset_id = contains(keys(local.made_sources), each.key) ? google_bigquery_dataset.logs[0].dataset_id : local.log_dataset
  table_id   = contains(keys(local.made_sources), each.key) ? google_bigquery_table.log[each.key].table_id : each.key
  role       = "roles/bigquery.dataEditor"
  member     = local.pubsub_agent

  depends_on = [google_project_service.api]
}

resource "google_pubsub_topic_iam_member" "dead_letter_publisher" {
  count = var.ingest ? 1 : 0

  topic  = google_pubsub_topic.dead_letters[0].name
  role   = "roles/pubsub.publisher"
  member = local.pubsub_agent
}

resource "google_pubsub_subscription_iam_member" "dead_letter_subscriber" {
  for_each = local.ingest_sources

  subscription = google_pubsub_subscription.table[each.key].name
  role         = "roles/pubsub.subscriber"
  member       = local.pubsub_agent
}

resource "google_pubsub_topic_iam_member" "ingest_publisher" {
  for_each = local.ingest_sources

  topic  = google_pubsub_topic.source[each.key].name
  role   = "roles/pubsub.publisher"
  member = google_service_account.function["ingest"].member
}

resource "google_cloudfunctions2_function" "ingest" {
  count = var.ingest ? 1 : 0

  name     = local.function_names["ingest"]
  location = var.region

  build_config {
    runtime         = "nodejs24"
    entry_point     = "ingest"
    service_account = google_service_account.build.id

    source {
      storage_source {
        bucket = google_storage_bucket.source.name
        object = google_storage_bucket_object.bundle["ingest"].name
      }
    }
  }

  service_config {
    service_account_email            = google_service_account.function["ingest"].email
    available_cpu                    = "1"
    available_memory                 = "${var.function.memory_mib}Mi"
    max_instance_request_concurrency = 8
    min_instance_count               = 0
    max_instance_count               = var.function.max_instances
    timeout_seconds                  = 60
    ingress_settings                 = "ALLOW_INTERNAL_AND_GCLB"
    all_traffic_on_latest_revision   = true

    environment_variables = merge(
      local.ingest_environment,
      local.table_environment,
      { LQE_INGEST_TOPICS = local.ingest_prefix },
      var.ingest_default_project == null ? {} : { LQE_DEFAULT_PROJECT = var.ingest_default_project },
    )
  }

  depends_on = [
    google_project_iam_member.build,
    google_project_iam_member.build_source,
    google_pubsub_subscription.table,
    google_pubsub_topic_iam_member.ingest_publisher,
  ]

  lifecycle {
    precondition {
      condition     = length(local.ingest_sources) > 0
      error_message = "ingest = true needs a source in log_dataset; all are in log_tables, whose tables this deployment does not write."
    }
  }
}

# Whoever has an access token that may write may call: the function itself checks it. Ingress keeps everyone to the load balancer.
resource "google_cloud_run_v2_service_iam_binding" "ingest_invoker" {
  count = var.ingest ? 1 : 0

  project  = var.project
  location = var.region
  name     = google_cloudfunctions2_function.ingest[0].name
  role     = "roles/run.invoker"
  members  = ["allUsers"]
}

resource "google_compute_region_network_endpoint_group" "ingest" {
  count = var.ingest ? 1 : 0

  name                  = local.account_ids["ingest"]
  region                = var.region
  network_endpoint_type = "SERVERLESS"

  cloud_run {
    service = google_cloudfunctions2_function.ingest[0].name
  }
}

resource "google_compute_backend_service" "ingest" {
  count = var.ingest ? 1 : 0

  name                  = local.account_ids["ingest"]
  load_balancing_scheme = "EXTERNAL_MANAGED"
  protocol              = "HTTPS"
  security_policy       = google_compute_security_policy.public.id

  backend {
    group = google_compute_region_network_endpoint_group.ingest[0].id
  }

  log_config {
    enable = false
  }

  lifecycle {
    # The URL map lets go of it before it goes.
    create_before_destroy = true
  }
}
