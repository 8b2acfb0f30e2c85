locals {
  is_managed_certificate = var.domain != null && var.certificate == null

  certificate = (
    var.certificate != null
    ? "projects/${var.project}/global/sslCertificates/${var.certificate}"
    : one(google_compute_managed_ssl_certificate.domain[*].id)
  )
}

resource "google_compute_managed_ssl_certificate" "domain" {
  count = local.is_managed_certificate ? 1 : 0

  # Another domain is another certificate: one cannot be changed, nor deleted while the proxy has it.
  name = "${var.name}-${substr(sha256(var.domain), 0, 12)}"

  managed {
    domains = [var.domain]
  }

  depends_on = [google_project_service.api]

  lifecycle {
    create_before_destroy = true
  }
}

resource "google_compute_ssl_policy" "modern" {
  count = local.is_https ? 1 : 0

  name            = var.name
  profile         = "MODERN"
  min_tls_version = "TLS_1_2"

  depends_on = [google_project_service.api]
}
