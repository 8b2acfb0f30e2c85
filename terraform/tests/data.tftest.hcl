# Log tables as queries/sources says, results that expire, and a key that no function reads.

mock_provider "google" {
  source = "./tests/mocks"
}

variables {
  project = "acme-logs"
  region  = "europe-west1"
  domain  = "logs.example.com"
}

run "log_tables" {
  variables {
    retention_days = 30
  }

  assert {
    condition = {
      for name, table in google_bigquery_table.log : "${name}.json" => jsondecode(table.schema)
      } == {
      for file in fileset("../queries/sources", "*.json") : file => jsondecode(file("../queries/sources/${file}"))
    }
    error_message = "A table has another schema than its source."
  }

  assert {
    condition = alltrue([
      for table in google_bigquery_table.log :
      one(table.time_partitioning).type == "HOUR" && one(table.time_partitioning).field == "timestamp"
      && one(table.time_partitioning).expiration_ms == 2592000000
    ])
    error_message = "A table is not partitioned by hour, or does not keep its partitions for 30 days."
  }

  assert {
    condition = alltrue([
      for table in google_bigquery_table.log :
      table.clustering == tolist(["project"]) && table.require_partition_filter == false && table.deletion_protection
    ])
    error_message = "A table is not clustered by project, demands a partition filter, or can be deleted."
  }
}

run "daily_partitions" {
  variables {
    partition_by   = "DAY"
    retention_days = 730
  }

  assert {
    condition     = alltrue([for table in google_bigquery_table.log : one(table.time_partitioning).type == "DAY"])
    error_message = "A table is not partitioned by day."
  }

  assert {
    condition = alltrue([
      for function in google_cloudfunctions2_function.public :
      one(function.service_config).environment_variables["LQE_PARTITION_BY"] == "day"
    ])
    error_message = "A function does not know how the tables are partitioned."
  }
}

run "existing_log_tables" {
  variables {
    log_dataset = { existing = true, project = "acme-lake", id = "raw", location = "EU" }
  }

  assert {
    condition     = length(google_bigquery_table.log) == 0 && length(google_bigquery_dataset.logs) == 0
    error_message = "Tables are made where some exist."
  }

  assert {
    condition = alltrue([
      for reader in google_bigquery_table_iam_member.reader :
      reader.project == "acme-lake" && reader.dataset_id == "raw" && contains(keys(local.table_schemas), reader.table_id)
    ])
    error_message = "The existing tables are not the ones that may be read."
  }

  assert {
    condition = alltrue([
      for function in google_cloudfunctions2_function.public :
      one(function.service_config).environment_variables["LQE_BIGQUERY_DATASET"] == "acme-lake.raw"
      && one(function.service_config).environment_variables["LQE_BIGQUERY_LOCATION"] == "EU"
    ])
    error_message = "The functions read other tables than the existing ones."
  }
}

run "named_log_tables" {
  variables {
    log_tables = {
      auth_logs     = null
      edge_logs     = "acme-lake.raw.cloudflare"
      postgres_logs = "log_views.postgres"
    }
  }

  assert {
    condition     = toset(keys(google_bigquery_table.log)) == setsubtract(keys(local.table_schemas), ["auth_logs", "edge_logs", "postgres_logs"])
    error_message = "Tables are made of other sources than those that log_tables leaves out."
  }

  assert {
    condition = {
      for key, reader in google_bigquery_table_iam_member.reader : key => "${reader.project}.${reader.dataset_id}.${reader.table_id}"
      if startswith(key, "logs-all/")
      } == merge(
      { for source in keys(google_bigquery_table.log) : "logs-all/${source}" => "acme-logs.lqe_logs.${source}" },
      { "logs-all/postgres_logs" = "acme-logs.log_views.postgres" },
    )
    error_message = "A function may read other tables than its own of this project."
  }

  assert {
    condition     = length(output.rights_to_grant) == 4 && alltrue([for command in output.rights_to_grant : endswith(command, " 'acme-lake:raw.cloudflare'")])
    error_message = "The output does not say how gateway, logs-all, usage-api-counts and warm get to read the table in the other project."
  }

  assert {
    condition = alltrue([
      for function in google_cloudfunctions2_function.public :
      jsondecode(one(function.service_config).environment_variables["LQE_LOG_TABLES"]) == jsondecode(jsonencode(var.log_tables))
      && one(function.service_config).environment_variables["LQE_BIGQUERY_DATASET"] == "acme-logs.lqe_logs"
    ])
    error_message = "The functions have settings for other tables."
  }
}

run "every_source_named" {
  variables {
    log_tables = {
      auth_logs          = null
      edge_logs          = "raw.edge"
      function_edge_logs = null
      function_logs      = null
      pgbouncer_logs     = null
      postgres_logs      = null
      postgrest_logs     = null
      realtime_logs      = null
      storage_logs       = null
    }
  }

  assert {
    condition     = length(google_bigquery_dataset.logs) == 0 && length(google_bigquery_table.log) == 0
    error_message = "A dataset is made that nothing lies in."
  }

  assert {
    condition = alltrue([
      for function in concat(values(google_cloudfunctions2_function.public), [google_cloudfunctions2_function.warm]) :
      !contains(keys(one(function.service_config).environment_variables), "LQE_BIGQUERY_DATASET")
      && contains(keys(one(function.service_config).environment_variables), "LQE_LOG_TABLES")
    ])
    error_message = "The functions have a dataset that does not exist."
  }

  assert {
    condition = alltrue([
      for reader in google_bigquery_table_iam_member.reader :
      reader.project == "acme-logs" && reader.dataset_id == "raw" && reader.table_id == "edge"
    ])
    error_message = "Another table may be read than the one that there is."
  }
}

run "results" {
  assert {
    condition     = toset(keys(google_firestore_field.expiry)) == toset(["lqe_asked", "lqe_cache", "lqe_cache_chunks", "lqe_leases"])
    error_message = "Other collections expire than those of results, leases and what was asked."
  }

  assert {
    condition = alltrue([
      for field in google_firestore_field.expiry :
      field.field == "expiresAt" && length(field.ttl_config) == 1 && length(one(field.index_config).indexes) == 0
    ])
    error_message = "A collection has no time to live on expiresAt, or an index over it."
  }

  assert {
    condition = alltrue([
      for field in google_firestore_field.answer :
      field.field == "data" && length(field.ttl_config) == 0 && length(one(field.index_config).indexes) == 0
    ])
    error_message = "There is an index over the bytes of answers."
  }

  assert {
    condition = (
      alltrue([for index in google_firestore_index.asked : index.database == google_firestore_database.results.name])
      && [for field in google_firestore_index.asked["line"].fields : field.field_path] == ["endpoint", "waitingSince", "askedAt"]
      && [for field in google_firestore_index.asked["token"].fields : field.field_path] == ["owner", "askedAt"]
    )
    error_message = "What is asked for cannot be searched by who waits longest, or by token."
  }

  assert {
    condition     = length(one(google_firestore_field.parameters.index_config).indexes) == 0
    error_message = "There is an index over the parameters of sets."
  }

  assert {
    condition = alltrue([
      for database in [google_firestore_database.results, google_firestore_database.tokens] :
      database.delete_protection_state == "DELETE_PROTECTION_ENABLED"
    ])
    error_message = "A database can be deleted."
  }

  assert {
    condition = (
      google_firestore_database.tokens.point_in_time_recovery_enablement == "POINT_IN_TIME_RECOVERY_ENABLED"
      && google_firestore_backup_schedule.tokens.database == google_firestore_database.tokens.name
      && google_firestore_backup_schedule.tokens.retention == "2592000s"
    )
    error_message = "Access tokens that are deleted by mistake cannot be had back."
  }
}

run "before_a_teardown" {
  variables {
    deletion_protection = false
  }

  assert {
    condition = (
      google_firestore_database.results.delete_protection_state == "DELETE_PROTECTION_DISABLED"
      && google_firestore_database.tokens.delete_protection_state == "DELETE_PROTECTION_DISABLED"
      && alltrue([for table in google_bigquery_table.log : !table.deletion_protection])
    )
    error_message = "Tables or database cannot be deleted."
  }
}

run "cursor_key" {
  variables {
    cursor_key_version = 3
  }

  assert {
    condition     = google_secret_manager_secret_version.cursor_key.secret_data == null && google_secret_manager_secret_version.cursor_key.secret_data_wo_version == 3
    error_message = "The key is in the state, or is not replaced with its version."
  }

  assert {
    condition = alltrue([
      for function in google_cloudfunctions2_function.public :
      one(one(function.service_config).secret_environment_variables).version == google_secret_manager_secret_version.cursor_key.version
    ])
    error_message = "A function reads another version of the key."
  }
}
