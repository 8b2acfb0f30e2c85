# Alerts on the way in: entries that wait for their table, and those that it did not take.

locals {
  ingest_alerts = !var.ingest ? {} : {
    entries-wait = {
      display_name = "Entries wait"
      severity     = "WARNING"
      meaning      = "Entries that were taken wait in Pub/Sub and are not in their table."
      duration     = "300s"
      queries = {
        "Age of the oldest entry" = "max by (subscription_id) (pubsub_googleapis_com:subscription_oldest_unacked_message_age{monitored_resource=\"pubsub_subscription\",subscription_id=~\"${local.ingest_prefix}.*\"}) > ${var.alert_thresholds.entries_wait_seconds}\n"
      }
    }

    dead-letters = {
      display_name = "Dead letters"
      severity     = "WARNING"
      meaning      = "BigQuery did not take entries; they are kept as dead letters for 31 days."
      duration     = "0s"
      queries = {
        "Messages" = "max(pubsub_googleapis_com:subscription_num_undelivered_messages{monitored_resource=\"pubsub_subscription\",subscription_id=\"${google_pubsub_subscription.dead_letters[0].name}\"}) > 0\n"
      }
    }
  }
}
