# The ways to be reached: a domain with a managed certificate, a certificate of one's own, plain HTTP for a trial.

mock_provider "google" {
  source = "./tests/mocks"
}

variables {
  project = "acme-logs"
  region  = "europe-west1"
}

run "managed_certificate" {
  variables {
    domain = "logs.example.com"
  }

  assert {
    condition     = one(google_compute_managed_ssl_certificate.domain[0].managed).domains == tolist(["logs.example.com"])
    error_message = "The managed certificate is for another domain."
  }

  assert {
    condition     = google_compute_target_https_proxy.public[0].ssl_certificates == tolist([google_compute_managed_ssl_certificate.domain[0].id])
    error_message = "The managed certificate is not used."
  }

  assert {
    condition     = google_compute_global_forwarding_rule.public.port_range == "443" && length(google_compute_target_http_proxy.public) == 0
    error_message = "The address answers on another port than 443."
  }

  assert {
    condition     = google_compute_ssl_policy.modern[0].min_tls_version == "TLS_1_2"
    error_message = "TLS before 1.2 is spoken."
  }

  assert {
    condition     = output.base_url == "https://logs.example.com"
    error_message = "base_url is not the domain."
  }
}

run "own_certificate_on_the_address" {
  variables {
    certificate = "trial"
  }

  assert {
    condition     = google_compute_target_https_proxy.public[0].ssl_certificates == tolist(["projects/acme-logs/global/sslCertificates/trial"])
    error_message = "The project's own certificate is not used."
  }

  assert {
    condition     = length(google_compute_managed_ssl_certificate.domain) == 0 && one(google_compute_url_map.public.host_rule).hosts == toset(["*"])
    error_message = "A managed certificate is asked for, or a host name is expected."
  }

  assert {
    condition     = output.base_url == "https://203.0.113.7"
    error_message = "base_url is not the address."
  }
}

run "own_certificate_for_a_domain" {
  variables {
    domain      = "logs.example.com"
    certificate = "ours"
  }

  assert {
    condition     = length(google_compute_managed_ssl_certificate.domain) == 0 && output.base_url == "https://logs.example.com"
    error_message = "The certificate that was given does not replace the managed one."
  }
}

run "http_only" {
  variables {
    http_only = true
  }

  assert {
    condition     = google_compute_global_forwarding_rule.public.port_range == "80" && google_compute_global_forwarding_rule.public.target == google_compute_target_http_proxy.public[0].id
    error_message = "The trial is not served over HTTP."
  }

  assert {
    condition     = length(google_compute_target_https_proxy.public) == 0 && output.base_url == "http://203.0.113.7"
    error_message = "The trial has HTTPS, or another base_url."
  }
}

run "cloud_armor" {
  variables {
    domain                = "logs.example.com"
    rate_limit_per_minute = 100
  }

  assert {
    condition = [
      for rule in google_compute_security_policy.public.rule :
      one(one(rule.rate_limit_options).rate_limit_threshold).count if rule.action == "throttle"
    ] == [100]
    error_message = "The rate limit is not the one that was given."
  }

  assert {
    condition = alltrue([
      for rule in google_compute_security_policy.public.rule :
      one(one(one(rule.preconfigured_waf_config).exclusion).request_query_param).operator == "EQUALS_ANY"
      if rule.action == "deny(403)"
    ])
    error_message = "A preconfigured rule looks into parameters, where SQL is what people send."
  }

  assert {
    condition     = !strcontains(jsonencode(google_compute_security_policy.public.rule), "sqli")
    error_message = "SQL is refused as an attack."
  }
}
