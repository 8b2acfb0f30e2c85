# One public address. Each endpoint's two paths go to its function, and every other path goes to the gateway, which
# knows all spellings of an endpoint, answers /healthz, /openapi.json and, where it is on, the explorer, and refuses the rest in the
# service's own words. Other hosts than the domain are answered 404 by the load balancer itself.

locals {
  is_https = !var.http_only

  gateway_backend = google_compute_backend_service.public["gateway"].id
}

resource "google_compute_global_address" "public" {
  name = var.name

  depends_on = [google_project_service.api]
}

resource "google_compute_region_network_endpoint_group" "public" {
  for_each = local.public_functions

  name                  = local.account_ids[each.key]
  region                = var.region
  network_endpoint_type = "SERVERLESS"

  cloud_run {
    service = google_cloudfunctions2_function.public[each.key].name
  }

  lifecycle {
    # The backend of an endpoint that is gone goes first.
    create_before_destroy = true
  }
}

resource "google_compute_backend_service" "public" {
  for_each = local.public_functions

  name                  = local.account_ids[each.key]
  load_balancing_scheme = "EXTERNAL_MANAGED"
  protocol              = "HTTPS"
  security_policy       = google_compute_security_policy.public.id

  backend {
    group = google_compute_region_network_endpoint_group.public[each.key].id
  }

  log_config {
    # The load balancer logs whole URLs, and those have people's SQL in them; the functions log each request without.
    enable = false
  }

  lifecycle {
    # The URL map lets go of an endpoint that is gone before its backend goes.
    create_before_destroy = true
  }
}

resource "google_compute_url_map" "public" {
  name            = var.name
  default_service = local.gateway_backend

  default_route_action {
    fault_injection_policy {
      abort {
        http_status = 404
        percentage  = 100
      }
    }
  }

  host_rule {
    hosts        = [coalesce(var.domain, "*")]
    path_matcher = "endpoints"
  }

  path_matcher {
    name            = "endpoints"
    default_service = local.gateway_backend

    dynamic "path_rule" {
      for_each = local.endpoints

      content {
        paths = [
          "/api/endpoints/query/${path_rule.value.settings.id}",
          "/api/endpoints/query/${path_rule.value.settings.name}",
        ]
        service = google_compute_backend_service.public[path_rule.key].id
      }
    }

    dynamic "path_rule" {
      for_each = google_compute_backend_service.ingest

      content {
        paths   = ["/api/logs"]
        service = path_rule.value.id
      }
    }
  }
}

resource "google_compute_target_https_proxy" "public" {
  count = local.is_https ? 1 : 0

  name             = var.name
  url_map          = google_compute_url_map.public.id
  ssl_certificates = [local.certificate]
  ssl_policy       = google_compute_ssl_policy.modern[0].id
}

resource "google_compute_target_http_proxy" "public" {
  count = var.http_only ? 1 : 0

  name    = var.name
  url_map = google_compute_url_map.public.id
}

# There is no redirect from port 80: by then the access token has crossed the network in the clear.
resource "google_compute_global_forwarding_rule" "public" {
  name                  = "${var.name}-${local.is_https ? "https" : "http"}"
  load_balancing_scheme = "EXTERNAL_MANAGED"
  ip_address            = google_compute_global_address.public.id
  port_range            = local.is_https ? "443" : "80"
  target = (
    local.is_https
    ? google_compute_target_https_proxy.public[0].id
    : google_compute_target_http_proxy.public[0].id
  )
}
