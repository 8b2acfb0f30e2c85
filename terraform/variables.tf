variable "alert_email" {
  description = "Where alerts and budget notices go; without it they only show in the console."
  type        = string
  default     = null

  validation {
    condition     = var.alert_email == null || can(regex("^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$", var.alert_email))
    error_message = "alert_email must be an e-mail address, such as oncall@example.com, or be left out."
  }
}

variable "alert_thresholds" {
  description = "From where on alerts fire: failures of BigQuery, exits of a function's instances and shares of calls are counted over ten minutes, bytes billed over an hour; traffic_per_hour is how many calls make half an hour of silence an alert; entries_wait_seconds is how long an entry may wait for its table."
  type = object({
    bigquery_errors       = optional(number, 5)
    bytes_billed_per_hour = optional(number, 1099511627776)
    certificate_days      = optional(number, 15)
    entries_wait_seconds  = optional(number, 600)
    error_ratio           = optional(number, 0.05)
    instance_exits        = optional(number, 2)
    memory_ratio          = optional(number, 0.9)
    p95_latency_seconds   = optional(number, 5)
    traffic_per_hour      = optional(number, 600)
    turned_away_ratio     = optional(number, 0.25)
    unauthenticated_ratio = optional(number, 0.5)
    warming_minutes       = optional(number, 15)
  })
  default = {}

  validation {
    condition     = var.alert_thresholds.error_ratio > 0 && var.alert_thresholds.error_ratio < 1
    error_message = "alert_thresholds.error_ratio must be more than 0 and less than 1; 0.05 means one answer in twenty."
  }

  validation {
    condition = alltrue([
      for ratio in [var.alert_thresholds.memory_ratio, var.alert_thresholds.turned_away_ratio, var.alert_thresholds.unauthenticated_ratio] :
      ratio > 0 && ratio < 1
    ])
    error_message = "alert_thresholds.memory_ratio, turned_away_ratio and unauthenticated_ratio must each be more than 0 and less than 1; 0.25 means one in four."
  }

  validation {
    condition     = var.alert_thresholds.p95_latency_seconds > 0 && var.alert_thresholds.bytes_billed_per_hour > 0
    error_message = "alert_thresholds.p95_latency_seconds and alert_thresholds.bytes_billed_per_hour must be more than 0."
  }

  validation {
    condition = alltrue([
      for count in [var.alert_thresholds.bigquery_errors, var.alert_thresholds.instance_exits, var.alert_thresholds.traffic_per_hour] :
      count >= 1 && floor(count) == count
    ])
    error_message = "alert_thresholds.bigquery_errors, instance_exits and traffic_per_hour must each be a whole number of at least 1."
  }

  validation {
    condition     = var.alert_thresholds.entries_wait_seconds >= 60
    error_message = "alert_thresholds.entries_wait_seconds must be at least 60; it is measured once a minute."
  }

  validation {
    condition     = var.alert_thresholds.certificate_days >= 1 && var.alert_thresholds.certificate_days <= 90
    error_message = "alert_thresholds.certificate_days must be from 1 to 90; a managed certificate is renewed a month before it expires."
  }

  validation {
    condition     = var.alert_thresholds.warming_minutes >= 10 && var.alert_thresholds.warming_minutes <= 1440 && floor(var.alert_thresholds.warming_minutes) == var.alert_thresholds.warming_minutes
    error_message = "alert_thresholds.warming_minutes must be a whole number from 10 to 1440."
  }
}

variable "budget" {
  description = "Monthly budget of the project in the billing account's currency, with notices at 50, 90 and 100 percent; without it there is none."
  type = object({
    billing_account = string
    monthly_amount  = number
  })
  default = null

  validation {
    condition     = var.budget == null ? true : can(regex("^[0-9A-F]{6}-[0-9A-F]{6}-[0-9A-F]{6}$", var.budget.billing_account))
    error_message = "budget.billing_account must be the ID of a billing account, such as 012345-6789AB-CDEF01; \"gcloud billing accounts list\" shows it."
  }

  validation {
    condition     = var.budget == null ? true : var.budget.monthly_amount >= 1 && floor(var.budget.monthly_amount) == var.budget.monthly_amount
    error_message = "budget.monthly_amount must be a whole number of at least 1."
  }
}

variable "certificate" {
  description = "Name of a global SSL certificate that the project has already, self-signed or your own, to use instead of a managed one."
  type        = string
  default     = null

  validation {
    condition     = var.certificate == null || can(regex("^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$", var.certificate))
    error_message = "certificate must be the name of a global SSL certificate in the project; \"gcloud compute ssl-certificates list --global\" shows them."
  }
}

variable "code_directory" {
  description = "Folder of the code, with queries/ and the built dist/ in it; by default the one this folder lies in."
  type        = string
  default     = null

  validation {
    condition     = fileexists("${coalesce(var.code_directory, "${path.module}/..")}/dist/manifest.json")
    error_message = "There is no dist/manifest.json in the folder of the code; run \"npm run build\" there first."
  }
}

variable "consumer_queries" {
  description = "What each access token may have of queries in sql and lql: seconds for one, how many run and wait at the same time in an instance, CPU seconds a minute for compiling them, and bytes that BigQuery may bill for one. An endpoint and a token may have fewer bytes, never more."
  type = object({
    cpu_seconds_per_minute = optional(number, 60)
    deadline_seconds       = optional(number, 30)
    max_bytes_billed       = optional(number, 1073741824)
    running                = optional(number, 4)
    waiting                = optional(number, 16)
  })
  default = {}

  validation {
    condition     = var.consumer_queries.cpu_seconds_per_minute >= 1 && var.consumer_queries.cpu_seconds_per_minute <= 100000 && floor(var.consumer_queries.cpu_seconds_per_minute) == var.consumer_queries.cpu_seconds_per_minute
    error_message = "consumer_queries.cpu_seconds_per_minute must be a whole number from 1 to 100000."
  }

  validation {
    condition     = var.consumer_queries.deadline_seconds >= 1 && var.consumer_queries.deadline_seconds <= 3590 && floor(var.consumer_queries.deadline_seconds) == var.consumer_queries.deadline_seconds
    error_message = "consumer_queries.deadline_seconds must be a whole number from 1 to 3590."
  }

  validation {
    condition     = var.consumer_queries.max_bytes_billed >= 10485760 && var.consumer_queries.max_bytes_billed <= 999999999999999 && floor(var.consumer_queries.max_bytes_billed) == var.consumer_queries.max_bytes_billed
    error_message = "consumer_queries.max_bytes_billed must be a whole number of bytes from 10485760 (no query is billed for less) to 999999999999999."
  }

  validation {
    condition     = var.consumer_queries.running >= 1 && var.consumer_queries.running <= 1000 && floor(var.consumer_queries.running) == var.consumer_queries.running
    error_message = "consumer_queries.running must be a whole number from 1 to 1000."
  }

  validation {
    condition     = var.consumer_queries.waiting >= 0 && var.consumer_queries.waiting <= 10000 && floor(var.consumer_queries.waiting) == var.consumer_queries.waiting
    error_message = "consumer_queries.waiting must be a whole number from 0 to 10000."
  }
}

variable "cursor_key_version" {
  description = "Raise it by one to replace the key that signs paging cursors; cursors issued before stop working."
  type        = number
  default     = 1

  validation {
    condition     = var.cursor_key_version >= 1 && floor(var.cursor_key_version) == var.cursor_key_version
    error_message = "cursor_key_version must be a whole number of at least 1."
  }
}

variable "deletion_protection" {
  description = "Whether log tables and the Firestore databases refuse to be deleted; false only before a teardown."
  type        = bool
  default     = true
}

variable "domain" {
  description = "Host name of the service; its certificate is managed, and its A record must point to the output ip_address."
  type        = string
  default     = null

  validation {
    condition     = var.domain == null || can(regex("^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$", var.domain))
    error_message = "domain must be a host name in lower case without scheme, port or path, such as logs.example.com."
  }
}

variable "explorer" {
  description = "Whether the gateway serves the explorer, a page for people with an access token, at the address without a path."
  type        = bool
  default     = false
  nullable    = false
}

variable "function" {
  description = "Size of each endpoint's function. Answers are cut off by the service 10 seconds before timeout_seconds."
  type = object({
    concurrency     = optional(number, 80)
    max_instances   = optional(number, 20)
    memory_mib      = optional(number, 1024)
    timeout_seconds = optional(number, 60)
  })
  default = {}

  validation {
    condition     = var.function.concurrency >= 1 && var.function.concurrency <= 1000 && floor(var.function.concurrency) == var.function.concurrency
    error_message = "function.concurrency must be a whole number from 1 to 1000."
  }

  validation {
    condition     = var.function.max_instances >= 1 && var.function.max_instances <= 1000 && floor(var.function.max_instances) == var.function.max_instances
    error_message = "function.max_instances must be a whole number from 1 to 1000."
  }

  validation {
    condition     = var.function.memory_mib >= 256 && var.function.memory_mib <= 4096 && floor(var.function.memory_mib) == var.function.memory_mib
    error_message = "function.memory_mib must be a whole number from 256 to 4096, which is what one CPU can have."
  }

  validation {
    condition     = var.function.timeout_seconds >= 20 && var.function.timeout_seconds <= 3600 && floor(var.function.timeout_seconds) == var.function.timeout_seconds
    error_message = "function.timeout_seconds must be a whole number from 20 to 3600."
  }
}

variable "http_only" {
  description = "Serve plain HTTP on the IP address, for a trial without a certificate: access tokens and logs travel unencrypted."
  type        = bool
  default     = false

  validation {
    condition     = !var.http_only || (var.domain == null && var.certificate == null)
    error_message = "http_only is for trials without a certificate; leave it out when domain or certificate is given."
  }

  validation {
    condition     = var.http_only || var.domain != null || var.certificate != null
    error_message = "Give domain for a managed certificate, or certificate for one of your own, or http_only = true for a trial without encryption."
  }
}

variable "ingest" {
  description = "Take entries at /api/logs: a function that checks them, a Pub/Sub topic for each source in log_dataset, and subscriptions that write them into the tables."
  type        = bool
  default     = false
}

variable "ingest_default_project" {
  description = "Project of received entries that name none, where their token is not limited to projects; without it no endpoint shows them."
  type        = string
  default     = null

  validation {
    condition     = var.ingest_default_project == null || can(regex("^[^\\p{C}\\s]([^\\p{C}]{0,254}[^\\p{C}\\s])?$", var.ingest_default_project))
    error_message = "ingest_default_project must be the name of a project, at most 256 characters without control characters or space around it."
  }

  validation {
    condition     = var.ingest_default_project == null || var.ingest
    error_message = "ingest_default_project is of entries that are received: set ingest = true."
  }
}

variable "log_dataset" {
  description = "BigQuery dataset of the log tables; by default one that is named after the deployment, lqe_logs. With existing = true the tables are there already, in this or another project, and are left as they are; location is then theirs."
  type = object({
    existing = optional(bool, false)
    id       = optional(string)
    location = optional(string)
    project  = optional(string)
  })
  default = {}

  validation {
    condition     = var.log_dataset.id == null || can(regex("^[A-Za-z0-9_]+$", var.log_dataset.id))
    error_message = "log_dataset.id must be letters, digits and underscores."
  }

  validation {
    condition     = var.log_dataset.project == null || var.log_dataset.existing
    error_message = "log_dataset.project is for tables that exist already; set existing = true as well, or leave the project out."
  }

  validation {
    condition     = !var.log_dataset.existing || var.log_dataset.id != null
    error_message = "log_dataset.id must say which dataset the existing tables are in."
  }

  validation {
    condition     = !var.log_dataset.existing || var.log_dataset.location != null
    error_message = "log_dataset.location must say where the existing tables are, such as EU or europe-west1; \"bq show\" shows it."
  }
}

variable "log_tables" {
  description = "Tables or views of sources that do not lie in log_dataset under their own names, as project.dataset.table or dataset.table; null for a source that is absent, which then has no entries. All must be in one location, that of log_dataset."
  type        = map(string)
  default     = {}

  validation {
    condition     = alltrue([for source in keys(var.log_tables) : contains(keys(local.table_schemas), source)])
    error_message = "The keys of log_tables must be sources, which are the files in queries/sources without their ending, such as edge_logs."
  }

  validation {
    condition = alltrue([
      for table in values(var.log_tables) :
      table == null ? true : can(regex("^(?:(?:[a-z0-9.-]{1,63}:)?[a-z][a-z0-9-]{4,28}[a-z0-9]\\.)?[A-Za-z0-9_]+\\.[\\pL\\pM\\pN\\p{Pc}\\p{Pd} ]+$", table))
    ])
    error_message = "A table in log_tables must be written project.dataset.table or dataset.table, or be null for a source that is absent."
  }
}

variable "min_instances" {
  description = "Instances of each endpoint's function that are kept running; 1 avoids cold starts and is billed while idle."
  type        = number
  default     = 0

  validation {
    condition     = var.min_instances >= 0 && var.min_instances <= var.function.max_instances && floor(var.min_instances) == var.min_instances
    error_message = "min_instances must be a whole number from 0 to function.max_instances."
  }
}

variable "name" {
  description = "Prefix of the name of everything that is made; two deployments in one project, such as staging and production, need two."
  type        = string
  default     = "lqe"

  validation {
    condition     = can(regex("^[a-z]([a-z0-9-]{0,14}[a-z0-9])$", var.name))
    error_message = "name must be 2 to 16 lower-case letters, digits and hyphens, beginning with a letter and not ending with a hyphen."
  }
}

variable "notification_channels" {
  description = "Notification channels of Cloud Monitoring that exist already, for PagerDuty, Slack or Pub/Sub, to which alerts go besides alert_email."
  type        = list(string)
  default     = []

  validation {
    condition     = alltrue([for channel in var.notification_channels : can(regex("^projects/[^/]+/notificationChannels/[0-9]+$", channel))])
    error_message = "notification_channels must be whole names, such as projects/acme-logs/notificationChannels/1234567890; \"gcloud beta monitoring channels list\" shows them."
  }

  validation {
    condition     = length(distinct(var.notification_channels)) == length(var.notification_channels)
    error_message = "notification_channels must name each channel once."
  }
}

variable "partition_by" {
  description = "How finely the log tables are partitioned by time, HOUR or DAY. BigQuery estimates a query by whole partitions, so that HOUR makes narrow time ranges cheap; DAY keeps logs for more than 416 days. For existing tables it says how they are partitioned."
  type        = string
  default     = "HOUR"

  validation {
    condition     = contains(["DAY", "HOUR"], var.partition_by)
    error_message = "partition_by must be HOUR or DAY."
  }
}

variable "project" {
  description = "ID of the Google Cloud project that everything is deployed to."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]$", var.project))
    error_message = "project must be the ID of a Google Cloud project: 6 to 30 lower-case letters, digits and hyphens, beginning with a letter."
  }
}

variable "rate_limit_per_minute" {
  description = "Requests that one IP address may make in a minute before it is answered 429."
  type        = number
  default     = 600

  validation {
    condition     = var.rate_limit_per_minute >= 1 && var.rate_limit_per_minute <= 1000000 && floor(var.rate_limit_per_minute) == var.rate_limit_per_minute
    error_message = "rate_limit_per_minute must be a whole number from 1 to 1000000."
  }
}

variable "region" {
  description = "Region of functions, schedule, results and, unless log_dataset says otherwise, log tables."
  type        = string

  validation {
    condition     = can(regex("^[a-z]+-[a-z]+[1-9][0-9]?$", var.region))
    error_message = "region must be the name of a Google Cloud region, such as europe-west1 (without a zone letter)."
  }
}

variable "retention_days" {
  description = "Days after which the partitions of the log tables are deleted."
  type        = number
  default     = 90

  validation {
    condition     = var.retention_days >= 1 && var.retention_days <= 3650 && floor(var.retention_days) == var.retention_days
    error_message = "retention_days must be a whole number from 1 to 3650; log tables without an end are not kept."
  }

  validation {
    condition     = var.partition_by == "DAY" || var.retention_days <= 416
    error_message = "retention_days may be at most 416 where partition_by is HOUR, since a table in BigQuery has at most 10,000 partitions; for a longer time set partition_by = \"DAY\"."
  }
}

variable "runbook_url" {
  description = "Where docs/operations.md can be read in a browser, such as https://github.com/acme/logs/blob/main/docs/operations.md; each alert then has a link to its section."
  type        = string
  default     = null

  validation {
    condition     = var.runbook_url == null ? true : can(regex("^https://[^\\s#]+$", var.runbook_url)) && length(var.runbook_url) <= 1900
    error_message = "runbook_url must begin with https://, have no # in it, since each alert adds the anchor of its section, and have at most 1900 characters."
  }
}

variable "silenced_alerts" {
  description = "Alerts that are made but never fire, by the names in docs/operations.md, such as no-traffic."
  type        = set(string)
  default     = []

  validation {
    condition = length(setsubtract(var.silenced_alerts, [
      "bigquery", "bytes-billed", "calls-turned-away", "certificate", "error-ratio", "firestore", "instance-cap",
      "instance-exits", "instance-memory", "latency", "no-traffic", "not-ready", "tokens-refused", "unreachable", "warming-fails",
    ])) == 0
    error_message = "silenced_alerts may have bigquery, bytes-billed, calls-turned-away, certificate, error-ratio, firestore, instance-cap, instance-exits, instance-memory, latency, no-traffic, not-ready, tokens-refused, unreachable and warming-fails."
  }
}

variable "stored_queries" {
  description = "Bytes that BigQuery may bill for one run of an endpoint's stored query, by a caller or while it is warmed. The default lets seven days pass at 1 TiB of logs in 90 days. An endpoint and a token may have fewer, never more."
  type = object({
    max_bytes_billed = optional(number, 107374182400)
  })
  default = {}

  validation {
    condition     = var.stored_queries.max_bytes_billed >= 10485760 && var.stored_queries.max_bytes_billed <= 999999999999999 && floor(var.stored_queries.max_bytes_billed) == var.stored_queries.max_bytes_billed
    error_message = "stored_queries.max_bytes_billed must be a whole number of bytes from 10485760 (no query is billed for less) to 999999999999999."
  }
}

variable "uptime_check" {
  description = "Checks from outside, of /healthz and /readyz through the load balancer: how often from each place, and from where; by default from everywhere."
  type = object({
    enabled        = optional(bool, true)
    period_seconds = optional(number, 60)
    regions        = optional(list(string), [])
  })
  default = {}

  validation {
    condition     = contains([60, 300, 600, 900], var.uptime_check.period_seconds)
    error_message = "uptime_check.period_seconds must be 60, 300, 600 or 900."
  }

  validation {
    condition     = length(var.uptime_check.regions) == 0 || length(distinct(var.uptime_check.regions)) >= 3
    error_message = "uptime_check.regions must be three different ones at least, or be left out for all."
  }

  validation {
    condition     = alltrue([for region in var.uptime_check.regions : contains(["ASIA_PACIFIC", "EUROPE", "SOUTH_AMERICA", "USA_IOWA", "USA_OREGON", "USA_VIRGINIA"], region)])
    error_message = "uptime_check.regions may have ASIA_PACIFIC, EUROPE, SOUTH_AMERICA, USA_IOWA, USA_OREGON and USA_VIRGINIA."
  }
}

variable "warming" {
  description = "What warming may cost: bytes that one round for one endpoint may bill, and sets of parameters that are kept warm for one access token."
  type = object({
    max_bytes_per_round = optional(number, 10737418240)
    sets_per_token      = optional(number, 100)
  })
  default = {}

  validation {
    condition     = var.warming.max_bytes_per_round >= 0 && var.warming.max_bytes_per_round <= 999999999999999 && floor(var.warming.max_bytes_per_round) == var.warming.max_bytes_per_round
    error_message = "warming.max_bytes_per_round must be a whole number from 0 to 999999999999999; 10737418240 is 10 GiB, and with 0 nothing is kept warm."
  }

  validation {
    condition     = var.warming.sets_per_token >= 1 && var.warming.sets_per_token <= 1000 && floor(var.warming.sets_per_token) == var.warming.sets_per_token
    error_message = "warming.sets_per_token must be a whole number from 1 to 1000."
  }
}
