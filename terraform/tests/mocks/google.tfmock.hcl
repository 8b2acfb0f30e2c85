# Computed values in the form that Google gives them. The real provider checks the form of members and addresses, and
# refuses the random words that Terraform makes up where a mock has no default.

mock_resource "google_service_account" {
  defaults = {
    id     = "projects/acme-logs/serviceAccounts/lqe-mock@acme-logs.iam.gserviceaccount.com"
    name   = "projects/acme-logs/serviceAccounts/lqe-mock@acme-logs.iam.gserviceaccount.com"
    email  = "lqe-mock@acme-logs.iam.gserviceaccount.com"
    member = "serviceAccount:lqe-mock@acme-logs.iam.gserviceaccount.com"
  }
}

mock_resource "google_compute_global_address" {
  defaults = {
    address = "203.0.113.7"
  }
}

mock_resource "google_storage_bucket" {
  defaults = {
    project_number = 123456789012
  }
}

mock_resource "google_monitoring_uptime_check_config" {
  defaults = {
    uptime_check_id = "check-AbCdEfGhIjK"
  }
}
