# One function per endpoint and the gateway, each with its own identity.

locals {
  # Function name to account ID, which may have 30 characters.
  account_ids = {
    for name, whole in local.function_names :
    name => length(whole) <= 30 ? whole : "${trimsuffix(substr(whole, 0, 23), "-")}-${substr(sha256(name), 0, 6)}"
  }

  environment = {
    LQE_ANSWER_MEMORY     = tostring(floor(var.function.memory_mib * 0.25))
    LQE_BIGQUERY_LOCATION = local.log_location
    # The load balancer ends X-Forwarded-For with the caller's address and its own.
    LQE_CALLER_POSITION    = "2"
    LQE_CACHE              = "firestore"
    LQE_CACHE_MEMORY       = tostring(floor(var.function.memory_mib * 0.125))
    LQE_DEADLINE           = tostring((var.function.timeout_seconds - 10) * 1000)
    LQE_FIRESTORE_DATABASE = google_firestore_database.results.name
    LQE_GOOGLE_PROJECT     = var.project
    LQE_LOG_FORMAT         = "json"
    LQE_LOG_LEVEL          = "info"
    LQE_PARTITION_BY       = lower(var.partition_by)
    LQE_SETS_PER_TOKEN     = tostring(var.warming.sets_per_token)
    LQE_SQL_CPU            = tostring(var.consumer_queries.cpu_seconds_per_minute)
    LQE_SQL_DEADLINE       = tostring(var.consumer_queries.deadline_seconds * 1000)
    LQE_SQL_MAX_BYTES      = tostring(var.consumer_queries.max_bytes_billed)
    LQE_SQL_RUNNING        = tostring(var.consumer_queries.running)
    LQE_SQL_WAITING        = tostring(var.consumer_queries.waiting)
    LQE_STORED_MAX_BYTES   = tostring(var.stored_queries.max_bytes_billed)
    LQE_TOKEN_DATABASE     = google_firestore_database.tokens.name
    LQE_TOKEN_STORE        = "firestore"
    LQE_WAREHOUSE          = "bigquery"

    # What V8 compiled when the function was built, which makes cold starts faster; in the function's own folder.
    NODE_COMPILE_CACHE = ".compile-cache"
    # As "npm start" has it: long SQL in a URL fits, up to what the load balancer takes.
    # The heap has rows and kept results; what is sent, and what is being read, lies beside it.
    NODE_OPTIONS = "--max-http-header-size=65536 --max-old-space-size=${floor(var.function.memory_mib * 0.6)}"
  }
}

# What the gateway alone serves.
locals {
  gateway_environment = {
    LQE_EXPLORER = tostring(var.explorer)
  }
}

locals {
  # Where the log tables are.
  table_environment = merge(
    length(local.dataset_sources) == 0 ? {} : { LQE_BIGQUERY_DATASET = "${local.log_project}.${local.log_dataset}" },
    length(var.log_tables) == 0 ? {} : { LQE_LOG_TABLES = jsonencode(var.log_tables) },
  )
}

resource "google_service_account" "function" {
  for_each = local.functions

  account_id   = local.account_ids[each.key]
  display_name = "Function ${each.key} of ${var.name}"

  depends_on = [google_project_service.api]
}

resource "google_cloudfunctions2_function" "public" {
  for_each = local.public_functions

  name     = local.function_names[each.key]
  location = var.region

  build_config {
    runtime         = "nodejs24"
    entry_point     = each.key
    service_account = google_service_account.build.id

    source {
      storage_source {
        bucket = google_storage_bucket.source.name
        object = google_storage_bucket_object.bundle[each.key].name
      }
    }
  }

  service_config {
    service_account_email            = google_service_account.function[each.key].email
    available_cpu                    = "1"
    available_memory                 = "${var.function.memory_mib}Mi"
    max_instance_request_concurrency = var.function.concurrency
    min_instance_count               = var.min_instances
    max_instance_count               = var.function.max_instances
    timeout_seconds                  = var.function.timeout_seconds
    ingress_settings                 = "ALLOW_INTERNAL_AND_GCLB"
    all_traffic_on_latest_revision   = true
    environment_variables            = merge(local.environment, local.table_environment, each.key == "gateway" ? local.gateway_environment : {})

    secret_environment_variables {
      key        = "LQE_CURSOR_KEY"
      project_id = var.project
      secret     = google_secret_manager_secret.cursor_key.secret_id
      version    = google_secret_manager_secret_version.cursor_key.version
    }
  }

  depends_on = [
    google_project_iam_member.build,
    google_project_iam_member.build_source,
    google_secret_manager_secret_iam_binding.cursor_key,
  ]

  lifecycle {
    precondition {
      condition     = can(regex("^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$", local.function_names[each.key]))
      error_message = "The function ${local.function_names[each.key]} cannot be deployed: its name must have at most 63 lower-case letters, digits and hyphens. Give the endpoint or var.name a shorter name."
    }

    precondition {
      condition     = length(setintersection(keys(local.endpoints), ["gateway", "ingest", "warm"])) == 0
      error_message = "No endpoint may be named gateway, ingest or warm: these are functions of the service itself."
    }

    precondition {
      condition     = length(local.tables_of_function[each.key]) > 0
      error_message = "The stored query of ${each.key} reads none of the tables in queries/sources; write them as logs.<source>."
    }
  }
}

# Whoever has an access token may call: the function itself checks it. Ingress keeps everyone to the load balancer.
resource "google_cloud_run_v2_service_iam_binding" "public_invoker" {
  for_each = local.public_functions

  project  = var.project
  location = var.region
  name     = google_cloudfunctions2_function.public[each.key].name
  role     = "roles/run.invoker"
  members  = ["allUsers"]
}
