# The way in: nothing without "ingest = true", and with it a topic and a subscription for each source.

mock_provider "google" {
  source = "./tests/mocks"
}

variables {
  project = "acme-logs"
  region  = "europe-west1"
  domain  = "logs.example.com"
}

run "without_ingest" {
  assert {
    condition = (
      length(google_pubsub_topic.source) + length(google_pubsub_topic.dead_letters) + length(google_pubsub_subscription.table) == 0
      && length(google_cloudfunctions2_function.ingest) + length(google_compute_backend_service.ingest) == 0
      && output.ingest_url == null && output.ingest_topics == {}
      && !contains(keys(google_project_service.api), "pubsub.googleapis.com")
      && !contains(keys(google_service_account.function), "ingest")
      && !contains(keys(google_monitoring_alert_policy.alert), "dead-letters")
    )
    error_message = "Something of the way in is made without being asked for."
  }
}

run "with_ingest" {
  variables {
    ingest = true
  }

  assert {
    condition     = keys(google_pubsub_topic.source) == keys(local.table_schemas) && google_pubsub_topic.source["edge_logs"].name == "lqe-logs-edge_logs"
    error_message = "A source has no topic of its name."
  }

  assert {
    condition = alltrue([
      for source, subscription in google_pubsub_subscription.table :
      one(subscription.bigquery_config).table == "acme-logs.lqe_logs.${source}"
      && one(subscription.bigquery_config).use_table_schema
      && one(subscription.bigquery_config).drop_unknown_fields
      && one(subscription.dead_letter_policy).max_delivery_attempts == 20
      && one(subscription.expiration_policy).ttl == ""
    ])
    error_message = "A subscription does not write into its table by the table's schema, or expires."
  }

  assert {
    condition = (
      google_pubsub_subscription.dead_letters[0].message_retention_duration == "2678400s"
      && one(google_pubsub_subscription.dead_letters[0].expiration_policy).ttl == ""
    )
    error_message = "Dead letters are not kept for 31 days."
  }

  assert {
    condition = (
      alltrue([for member in google_bigquery_table_iam_member.ingest_writer : member.role == "roles/bigquery.dataEditor" && member.member == "serviceAccount:service-123456789012@gcp-sa-pubsub.iam.gserviceaccount.com"])
      && google_pubsub_topic_iam_member.dead_letter_publisher[0].role == "roles/pubsub.publisher"
      && alltrue([for member in google_pubsub_subscription_iam_member.dead_letter_subscriber : member.role == "roles/pubsub.subscriber"])
    )
    error_message = "Pub/Sub's service agent may not write the tables, or not give messages up."
  }

  assert {
    condition = (
      alltrue([for member in google_pubsub_topic_iam_member.ingest_publisher : member.role == "roles/pubsub.publisher" && member.member == google_service_account.function["ingest"].member])
      && !contains(keys(google_project_iam_member.query_runner), "ingest")
      && !contains(keys(google_project_iam_member.results_user), "ingest")
      && contains(keys(google_project_iam_member.tokens_viewer), "ingest")
    )
    error_message = "The function ingest has other rights than to publish and to look tokens up."
  }

  assert {
    condition = (
      one(google_cloudfunctions2_function.ingest[0].service_config).environment_variables["LQE_INGEST_TOPICS"] == "lqe-logs-"
      && one(google_cloudfunctions2_function.ingest[0].service_config).ingress_settings == "ALLOW_INTERNAL_AND_GCLB"
      && !contains(keys(one(google_cloudfunctions2_function.ingest[0].service_config).environment_variables), "LQE_CACHE")
      && !contains(keys(one(google_cloudfunctions2_function.ingest[0].service_config).environment_variables), "LQE_DEFAULT_PROJECT")
      && one(google_cloudfunctions2_function.ingest[0].build_config).entry_point == "ingest"
    )
    error_message = "The function ingest does not publish to the topics, or can be called past the load balancer."
  }

  assert {
    condition = contains(
      flatten([for rule in one(google_compute_url_map.public.path_matcher).path_rule : tolist(rule.paths)]),
      "/api/logs"
    )
    error_message = "The load balancer does not lead /api/logs to the function ingest."
  }

  assert {
    condition = (
      output.ingest_url == "https://logs.example.com/api/logs"
      && contains(keys(google_monitoring_alert_policy.alert), "entries-wait")
      && contains(keys(google_monitoring_alert_policy.alert), "dead-letters")
      && contains(keys(google_project_service.api), "pubsub.googleapis.com")
    )
    error_message = "The way in has no address, no alert or no API."
  }
}

run "tables_of_others" {
  variables {
    ingest     = true
    log_tables = { edge_logs = "other-project.logs.edge", auth_logs = null }
  }

  assert {
    condition     = !contains(keys(google_pubsub_topic.source), "edge_logs") && !contains(keys(google_pubsub_topic.source), "auth_logs")
    error_message = "A table that belongs to others gets entries."
  }
}

run "existing_tables" {
  variables {
    ingest      = true
    log_dataset = { existing = true, id = "logs", location = "EU", project = "data-project" }
  }

  assert {
    condition     = one(google_pubsub_subscription.table["edge_logs"].bigquery_config).table == "data-project.logs.edge_logs"
    error_message = "A subscription does not write into the table that exists."
  }
}

run "odd_threshold" {
  command = plan

  variables {
    ingest           = true
    alert_thresholds = { entries_wait_seconds = 10 }
  }

  expect_failures = [var.alert_thresholds]
}
