# Cloud Armor in front of everything. Parameters are not inspected: SQL, LQL and searches for attacks in logs are what
# this service is for, and no parameter's text ever becomes part of a query.

locals {
  waf_rule_sets = {
    "cve-canary"                  = 1000
    "protocolattack-v33-stable"   = 1010
    "scannerdetection-v33-stable" = 1020
  }
}

resource "google_compute_security_policy" "public" {
  name = var.name

  advanced_options_config {
    # Makes parameters of a JSON body, which the rules below leave alone like those of a URL.
    json_parsing = "STANDARD"
  }

  dynamic "rule" {
    for_each = local.waf_rule_sets

    content {
      action   = "deny(403)"
      priority = rule.value

      match {
        expr {
          expression = "evaluatePreconfiguredWaf('${rule.key}', {'sensitivity': 1})"
        }
      }

      preconfigured_waf_config {
        exclusion {
          target_rule_set = rule.key

          request_query_param {
            operator = "EQUALS_ANY"
          }
        }
      }
    }
  }

  rule {
    action   = "throttle"
    priority = 2000

    match {
      versioned_expr = "SRC_IPS_V1"

      config {
        src_ip_ranges = ["*"]
      }
    }

    rate_limit_options {
      conform_action = "allow"
      exceed_action  = "deny(429)"
      enforce_on_key = "IP"

      rate_limit_threshold {
        count        = var.rate_limit_per_minute
        interval_sec = 60
      }
    }
  }

  # Every policy ends with a rule for what no other one matched.
  rule {
    action   = "allow"
    priority = 2147483647

    match {
      versioned_expr = "SRC_IPS_V1"

      config {
        src_ip_ranges = ["*"]
      }
    }
  }

  depends_on = [google_project_service.api]
}
