# What the code says: endpoints and their stored queries, the schemas of the log tables, the bundles that
# "npm run build" made. A new endpoint is two files in queries/ and needs no change here.

locals {
  code_directory = coalesce(var.code_directory, "${path.module}/..")
  queries        = "${local.code_directory}/queries"

  table_schemas = {
    for file in fileset("${local.queries}/sources", "*.json") :
    trimsuffix(file, ".json") => file("${local.queries}/sources/${file}")
  }

  # By the name of the function, which is the endpoint's with dashes for dots and underscores.
  endpoints = {
    for file in fileset(local.queries, "*.json") :
    replace(trimsuffix(file, ".json"), "/[._]/", "-") => { settings = jsondecode(file("${local.queries}/${file}")) }
  }

  warmed_endpoints = {
    for name, endpoint in local.endpoints : name => endpoint.settings if endpoint.settings.warmEverySeconds != null
  }

  functions = toset(concat(keys(local.endpoints), ["gateway", "warm"], var.ingest ? ["ingest"] : []))

  # Those that run queries, whose results lie in Firestore.
  query_functions = toset(concat(keys(local.endpoints), ["gateway", "warm"]))

  bundles = try(jsondecode(file("${local.code_directory}/dist/manifest.json")), {})

  # The log tables that each function may read; nothing but these. The build found them by analyzing the stored queries.
  tables_of_function = { for name in local.query_functions : name => try(local.bundles[name].tables, []) }

  # Those that the load balancer leads to: one for each endpoint, and the gateway for every other path.
  public_functions = toset(concat(keys(local.endpoints), ["gateway"]))

  # A function's name in the project.
  function_names = { for name in local.functions : name => "${var.name}-${name}" }
}
