terraform {
  # 1.11 is the first with write-only arguments, which keep the cursor key out of state and plan.
  required_version = ">= 1.11"

  required_providers {
    google = {
      source  = "hashicorp/google"
      version = "7.45.0"
    }
  }

  # The bucket is given to init: -backend-config="bucket=…" (see docs/deploy.md).
  backend "gcs" {
    prefix = "log-query-endpoints"
  }
}

provider "google" {
  project = var.project
  region  = var.region

  # Budgets and the Service Usage API want calls of people to be counted for this project.
  billing_project       = var.project
  user_project_override = true

  default_labels = {
    service = "log-query-endpoints"
    name    = var.name
  }
}
