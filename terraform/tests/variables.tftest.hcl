# What is wrong is refused before anything is planned. test/terraform compares the sentences.

mock_provider "google" {
  source = "./tests/mocks"
}

variables {
  project = "acme-logs"
  region  = "europe-west1"
  domain  = "logs.example.com"
}

run "empty_project" {
  command = plan

  variables {
    project = ""
  }

  expect_failures = [var.project]
}

run "zone_as_region" {
  command = plan

  variables {
    region = "europe-west1-b"
  }

  expect_failures = [var.region]
}

run "no_retention" {
  command = plan

  variables {
    retention_days = 0
  }

  expect_failures = [var.retention_days]
}

run "unknown_source" {
  command = plan

  variables {
    log_tables = { edge_log = "raw.cloudflare" }
  }

  expect_failures = [var.log_tables]
}

run "table_without_dataset" {
  command = plan

  variables {
    log_tables = { edge_logs = "cloudflare" }
  }

  expect_failures = [var.log_tables]
}

run "address_as_domain" {
  command = plan

  variables {
    domain = "https://logs.example.com/"
  }

  expect_failures = [var.domain]
}

run "nothing_built" {
  command = plan

  variables {
    code_directory = "/nonexistent"
  }

  expect_failures = [var.code_directory]
}
