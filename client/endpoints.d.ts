// Written by "npm run client:types" from queries/; do not edit.

/** INT64 beyond 2^53 comes as a string, so that no digit is lost. */
export type Int64 = number | string;
/** NaN and the infinities come as strings, for JSON has no such numbers. */
export type Float64 = number | 'NaN' | 'Infinity' | '-Infinity';
/** Microseconds since the epoch; with the option `timestamps`, milliseconds or ISO 8601. */
export type TimestampMicros = Int64;
/** `2026-01-02T03:04:05.123456`, without a zone. */
export type DateTimeText = string;

/** The endpoints by name: what each takes and answers. */
export interface Endpoints {
  /** The log entries of one project, newest first, in nine sources. */
  "logs.all": {
    parameters: {
      /** The project whose log entries are read */
      readonly project: string;
      /** Only entries after this instant (exclusive); without it there is no lower bound */
      readonly iso_timestamp_start?: string | Date | null | undefined;
      /** Only entries up to this instant (inclusive); without it there is no upper bound */
      readonly iso_timestamp_end?: string | Date | null | undefined;
    };
    row: {
      readonly id: string | null;
      readonly timestamp: TimestampMicros | null;
      readonly event_message: string | null;
      readonly metadata: readonly {
        readonly load_balancer_redirect_identifier: string | null;
        readonly request: readonly {
          readonly cf: readonly {
            readonly asOrganization: string | null;
            readonly asn: Int64 | null;
            readonly botManagement: readonly {
              readonly corporateProxy: boolean | null;
              readonly detectionIds: readonly Int64[] | null;
              readonly ja3Hash: string | null;
              readonly score: Int64 | null;
              readonly staticResource: boolean | null;
              readonly verifiedBot: boolean | null;
            }[] | null;
            readonly city: string | null;
            readonly clientTcpRtt: Int64 | null;
            readonly clientTrustScore: Int64 | null;
            readonly colo: string | null;
            readonly continent: string | null;
            readonly country: string | null;
            readonly edgeRequestKeepAliveStatus: Int64 | null;
            readonly httpProtocol: string | null;
            readonly latitude: string | null;
            readonly longitude: string | null;
            readonly metroCode: string | null;
            readonly postalCode: string | null;
            readonly region: string | null;
            readonly regionCode: string | null;
            readonly timezone: string | null;
            readonly tlsCipher: string | null;
            readonly tlsClientAuth: readonly {
              readonly certPresented: string | null;
              readonly certRevoked: string | null;
              readonly certVerified: string | null;
            }[] | null;
            readonly tlsExportedAuthenticator: readonly {
              readonly clientFinished: string | null;
              readonly clientHandshake: string | null;
              readonly serverFinished: string | null;
              readonly serverHandshake: string | null;
            }[] | null;
            readonly tlsVersion: string | null;
          }[] | null;
          readonly headers: readonly {
            readonly cf_connecting_ip: string | null;
            readonly cf_ipcountry: string | null;
            readonly cf_ray: string | null;
            readonly content_length: string | null;
            readonly host: string | null;
            readonly referer: string | null;
            readonly user_agent: string | null;
            readonly x_client_info: string | null;
            readonly x_forwarded_proto: string | null;
            readonly x_real_ip: string | null;
          }[] | null;
          readonly host: string | null;
          readonly method: string | null;
          readonly path: string | null;
          readonly protocol: string | null;
          readonly sb: readonly {
            readonly apikey: readonly {
              readonly apikey: readonly {
                readonly error: string | null;
                readonly hash: string | null;
                readonly prefix: string | null;
              }[] | null;
            }[] | null;
            readonly auth_user: string | null;
            readonly jwt: readonly {
              readonly apikey: readonly {
                readonly invalid: boolean | null;
                readonly payload: readonly {
                  readonly algorithm: string | null;
                  readonly expires_at: Int64 | null;
                  readonly issuer: string | null;
                  readonly key_id: string | null;
                  readonly role: string | null;
                  readonly session_id: string | null;
                  readonly signature_prefix: string | null;
                  readonly subject: string | null;
                }[] | null;
              }[] | null;
              readonly authorization: readonly {
                readonly invalid: boolean | null;
                readonly payload: readonly {
                  readonly algorithm: string | null;
                  readonly expires_at: Int64 | null;
                  readonly issuer: string | null;
                  readonly key_id: string | null;
                  readonly role: string | null;
                  readonly session_id: string | null;
                  readonly signature_prefix: string | null;
                  readonly subject: string | null;
                }[] | null;
              }[] | null;
            }[] | null;
          }[] | null;
          readonly search: string | null;
          readonly url: string | null;
        }[] | null;
        readonly response: readonly {
          readonly headers: readonly {
            readonly cf_cache_status: string | null;
            readonly cf_ray: string | null;
            readonly content_length: string | null;
            readonly content_location: string | null;
            readonly content_range: string | null;
            readonly content_type: string | null;
            readonly date: string | null;
            readonly proxy_status: string | null;
            readonly sb_gateway_mode: string | null;
            readonly sb_gateway_version: string | null;
            readonly transfer_encoding: string | null;
            readonly x_kong_proxy_latency: string | null;
            readonly x_sb_error_code: string | null;
          }[] | null;
          readonly origin_time: Int64 | null;
          readonly status_code: Int64 | null;
        }[] | null;
      }[] | null;
    };
  };
  /** How many requests a project's REST, storage, auth and realtime APIs got, by minute, hour or day. */
  "usage.api-counts": {
    parameters: {
      /** The window and its buckets: minutely is the last 60 minutes by minute, hourly the last hour by hour, daily the last 7 days by day */
      readonly interval: 'minutely' | 'hourly' | 'daily';
      /** A regular expression that is searched for in the URL of each request */
      readonly project: string;
    };
    row: {
      readonly timestamp: DateTimeText | null;
      readonly total_rest_requests: Int64 | null;
      readonly total_storage_requests: Int64 | null;
      readonly total_auth_requests: Int64 | null;
      readonly total_realtime_requests: Int64 | null;
    };
  };
}
