/** What `lqe tokens --help` prints. */
export const TOKENS_HELP = `Usage: lqe tokens issue|list|show|revoke [TOKEN] [options]

Access tokens: who may call the endpoints, and how much each may take.

  lqe tokens issue --name NAME [options]
      Make a token and print it once; only its SHA-256 digest is stored.
      --name NAME              who or what the token is for; names are unique
      --expires WHEN           30d or 12h from now, or an ISO 8601 time (without
                               a zone it is UTC)
      --endpoint E             limit the token to this endpoint (id or name);
                               may be repeated
      --project P              limit the token to this project; may be repeated
      --write SOURCE           make a token that writes entries to this source,
                               such as edge_logs, and reads nothing; may be
                               repeated; of the limits, --expires, --project
                               and --requests-per-minute go with it. With one
                               project, entries that name none are of that
                               one; of another they are refused
      --max-rows N             most rows in one answer
      --max-bytes BYTES        most bytes that one query may bill on BigQuery,
                               such as 500MiB or 2GiB
      --max-window SPAN        longest time span that one request may read, such
                               as 30m, 24h or 7d
      --requests-per-minute N  most requests a minute, counted by each instance
                               of the service
      Where the service or an endpoint has a smaller limit, that holds.
      --sql-deadline SPAN      how long a query in sql or lql may take, such as
                               5s or 1m, in place of the service's
                               --sql-deadline; its --deadline holds all the same
      --cpu-per-minute SECONDS CPU seconds a minute for queries in sql and lql
                               on the embedded engine, such as 30, in place of
                               the service's --sql-cpu

  lqe tokens list [--json]
      List the tokens with their limits and state.

  lqe tokens show NAME|DIGEST-PREFIX [--json]
      Show one token's record; the token itself is not in it.

  lqe tokens revoke NAME|DIGEST-PREFIX
      Refuse a token from now on. A running service follows within a second
      where the tokens are in a file, within 60 seconds where they are in
      Firestore.

Where the tokens are, for every command:
      --store file|firestore    default: file, the one that LQE_TOKENS names, or
                                .lqe/tokens.json (or LQE_TOKEN_STORE)
      --google-project PROJECT  the Google Cloud project of the Firestore
                                database (or LQE_GOOGLE_PROJECT)
      --token-database ID       default: that of LQE_FIRESTORE_DATABASE, or
                                (default) (or LQE_TOKEN_DATABASE)
      With --store firestore, any machine will do that has Google credentials
      with the role roles/datastore.user: on a laptop,
      "gcloud auth application-default login" gets them.

Exit code 0: done; 1: the token is unknown or the store failed; 2: wrong usage.
`;
