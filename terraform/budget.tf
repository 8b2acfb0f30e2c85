resource "google_billing_budget" "project" {
  count = var.budget == null ? 0 : 1

  billing_account = var.budget.billing_account
  display_name    = "${var.name} in ${var.project}"

  budget_filter {
    # By number, which is how the API answers; by ID, every plan would show a change.
    projects = ["projects/${google_storage_bucket.source.project_number}"]
  }

  amount {
    specified_amount {
      units = tostring(var.budget.monthly_amount)
    }
  }

  dynamic "threshold_rules" {
    for_each = [0.5, 0.9, 1]

    content {
      threshold_percent = threshold_rules.value
    }
  }

  dynamic "all_updates_rule" {
    # Cloud Billing writes to addresses alone.
    for_each = var.alert_email == null ? [] : [google_monitoring_notification_channel.email[*].id]

    content {
      monitoring_notification_channels = all_updates_rule.value
    }
  }

  depends_on = [google_project_service.api]
}
