# Each endpoint in queries/ has its function, and the public address leads to it by both of its identifiers.

mock_provider "google" {
  source = "./tests/mocks"
}

variables {
  project = "acme-logs"
  region  = "europe-west1"
  domain  = "logs.example.com"
}

# With nothing deployed yet, as at a first apply: what Google makes up is not known, what is made must be.
run "first_plan" {
  command = plan

  assert {
    condition     = toset(keys(google_cloudfunctions2_function.public)) == toset(keys(google_compute_backend_service.public))
    error_message = "The plan has functions without backends."
  }

  assert {
    condition     = length(google_bigquery_table_iam_member.reader) == sum([for tables in values(local.tables_of_function) : length(tables)])
    error_message = "The plan does not have a grant for each table that a function reads."
  }
}

run "functions" {
  assert {
    condition     = length(google_cloudfunctions2_function.public) == length(fileset("../queries", "*.json")) + 1
    error_message = "There is not one function for each endpoint, and the gateway."
  }

  assert {
    condition = alltrue([
      for name, function in google_cloudfunctions2_function.public :
      function.name == "lqe-${name}" && one(function.build_config).entry_point == name && one(function.build_config).runtime == "nodejs24"
    ])
    error_message = "A function is not named by the deployment and its entry point, or does not run on Node 24."
  }

  assert {
    condition = alltrue([
      for function in google_cloudfunctions2_function.public :
      one(function.service_config).ingress_settings == "ALLOW_INTERNAL_AND_GCLB"
    ])
    error_message = "A function can be reached without the load balancer."
  }

  assert {
    condition     = one(google_cloudfunctions2_function.warm.service_config).ingress_settings == "ALLOW_INTERNAL_ONLY"
    error_message = "The function warm can be reached from outside."
  }

  assert {
    condition = alltrue([
      for name, object in google_storage_bucket_object.bundle :
      object.name == "functions/${name}-${jsondecode(file("../dist/manifest.json"))[name].sha256}.zip"
    ])
    error_message = "A bundle is not named by the hash of its content."
  }

  assert {
    condition = alltrue([
      for name, function in merge(google_cloudfunctions2_function.public, { warm = google_cloudfunctions2_function.warm }) :
      one(one(one(function.build_config).source).storage_source).object == google_storage_bucket_object.bundle[name].name
    ])
    error_message = "A function is built from another's bundle."
  }
}

run "paths" {
  assert {
    condition = {
      for rule in one(google_compute_url_map.public.path_matcher).path_rule : rule.service => sort(rule.paths)
      } == {
      for file in fileset("../queries", "*.json") :
      google_compute_backend_service.public[replace(trimsuffix(file, ".json"), "/[._]/", "-")].id => sort([
        "/api/endpoints/query/${jsondecode(file("../queries/${file}")).id}",
        "/api/endpoints/query/${jsondecode(file("../queries/${file}")).name}",
      ])
    }
    error_message = "The UUID and the name of an endpoint, and nothing else, do not lead to its function."
  }

  assert {
    condition = alltrue([
      for name, backend in google_compute_backend_service.public :
      one(backend.backend).group == google_compute_region_network_endpoint_group.public[name].id
      && one(google_compute_region_network_endpoint_group.public[name].cloud_run).service == "lqe-${name}"
      && backend.security_policy == google_compute_security_policy.public.id
    ])
    error_message = "A backend is another function's, or not behind Cloud Armor."
  }

  assert {
    condition     = one(google_compute_url_map.public.path_matcher).default_service == google_compute_backend_service.public["gateway"].id
    error_message = "Other paths do not lead to the gateway."
  }

  assert {
    condition = alltrue([
      for action in google_compute_url_map.public.default_route_action :
      one(one(action.fault_injection_policy).abort).http_status == 404 && one(one(action.fault_injection_policy).abort).percentage == 100
    ]) && length(google_compute_url_map.public.default_route_action) == 1
    error_message = "Other hosts are not answered 404."
  }

  assert {
    condition     = one(google_compute_url_map.public.host_rule).hosts == toset(["logs.example.com"])
    error_message = "Other hosts than the domain lead to the functions."
  }
}

run "explorer_is_off" {
  assert {
    condition = {
      for name, function in google_cloudfunctions2_function.public :
      name => one(function.service_config).environment_variables["LQE_EXPLORER"]
      if contains(keys(one(function.service_config).environment_variables), "LQE_EXPLORER")
    } == { gateway = "false" }
    error_message = "The explorer is on without being asked for, or another function than the gateway has the setting."
  }

  assert {
    condition     = output.explorer == null
    error_message = "There is an address of an explorer that is off."
  }
}

run "explorer_is_on" {
  variables {
    explorer = true
  }

  assert {
    condition     = one(google_cloudfunctions2_function.public["gateway"].service_config).environment_variables["LQE_EXPLORER"] == "true"
    error_message = "The gateway does not serve the explorer."
  }

  assert {
    condition     = output.explorer == "https://logs.example.com/"
    error_message = "The explorer is said to be somewhere else."
  }

  assert {
    condition     = one(google_compute_url_map.public.path_matcher).default_service == google_compute_backend_service.public["gateway"].id
    error_message = "The paths of the explorer do not lead to the gateway."
  }
}

# Two deployments in one project share no name.
run "names" {
  variables {
    name = "staging"
  }

  assert {
    condition = alltrue(concat(
      [for function in google_cloudfunctions2_function.public : startswith(function.name, "staging-")],
      [for account in google_service_account.function : startswith(account.account_id, "staging-")],
      [for backend in google_compute_backend_service.public : startswith(backend.name, "staging-")],
      [for job in google_cloud_scheduler_job.warm : startswith(job.name, "staging-warm-")],
      [
        for name in [
          google_cloudfunctions2_function.warm.name,
          google_compute_global_address.public.name,
          google_compute_global_forwarding_rule.public.name,
          google_compute_security_policy.public.name,
          google_compute_url_map.public.name,
          google_firestore_database.results.name,
          google_firestore_database.tokens.name,
          google_logging_metric.requests.name,
          google_secret_manager_secret.cursor_key.secret_id,
          google_service_account.build.account_id,
          google_service_account.scheduler.account_id,
        ] : startswith(name, "staging")
      ],
    ))
    error_message = "A name does not begin with that of the deployment."
  }

  assert {
    condition     = google_bigquery_dataset.logs[0].dataset_id == "staging_logs" && google_storage_bucket.source.name == "acme-logs-staging-source"
    error_message = "The dataset or the bucket is not named after the deployment."
  }

  assert {
    condition = alltrue([
      for name, policy in google_monitoring_alert_policy.alert :
      !strcontains(jsonencode(policy.conditions), "lqe") && (strcontains(jsonencode(policy.conditions), "staging") || contains(["certificate", "not-ready", "unreachable"], name))
    ])
    error_message = "An alert looks at the metrics of another deployment."
  }
}

run "sizes" {
  variables {
    min_instances = 2
    function      = { concurrency = 40, max_instances = 5, memory_mib = 2048, timeout_seconds = 90 }

    consumer_queries = { cpu_seconds_per_minute = 30, deadline_seconds = 20, max_bytes_billed = 5368709120, running = 8, waiting = 0 }
    stored_queries   = { max_bytes_billed = 1099511627776 }
  }

  assert {
    condition = alltrue([
      for config in flatten([for function in google_cloudfunctions2_function.public : function.service_config]) :
      config.min_instance_count == 2 && config.max_instance_count == 5 && config.available_memory == "2048Mi"
      && config.max_instance_request_concurrency == 40 && config.timeout_seconds == 90
    ])
    error_message = "A size that was given does not arrive."
  }

  assert {
    condition = alltrue([
      for config in flatten([for function in google_cloudfunctions2_function.public : function.service_config]) :
      config.environment_variables["LQE_DEADLINE"] == "80000" && config.environment_variables["LQE_CACHE_MEMORY"] == "256"
      && config.environment_variables["LQE_ANSWER_MEMORY"] == "512"
      && strcontains(config.environment_variables["NODE_OPTIONS"], "--max-old-space-size=1228")
    ])
    error_message = "The deadline does not come before the timeout, or what the memory is divided into does not follow the function's."
  }

  assert {
    condition = alltrue([
      for config in flatten([for function in google_cloudfunctions2_function.public : function.service_config]) :
      config.environment_variables["LQE_SQL_CPU"] == "30" && config.environment_variables["LQE_SQL_DEADLINE"] == "20000"
      && config.environment_variables["LQE_SQL_RUNNING"] == "8" && config.environment_variables["LQE_SQL_WAITING"] == "0"
    ])
    error_message = "What a token may have of queries does not arrive."
  }

  assert {
    condition = alltrue([
      for config in flatten([for function in merge(google_cloudfunctions2_function.public, { warm = google_cloudfunctions2_function.warm }) : function.service_config]) :
      config.environment_variables["LQE_SQL_MAX_BYTES"] == "5368709120" && config.environment_variables["LQE_STORED_MAX_BYTES"] == "1099511627776"
    ])
    error_message = "The caps on the bytes that a query may bill do not arrive."
  }
}
