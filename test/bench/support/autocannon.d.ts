/** What of autocannon is used here; the package has no types. */
declare module 'autocannon' {
  export interface Options {
    readonly url: string;
    readonly connections: number;
    /** Seconds. */
    readonly duration?: number;
    /** Requests in all, in place of a duration. */
    readonly amount?: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly requests?: readonly {
      readonly path: string;
      readonly headers?: Readonly<Record<string, string>>;
    }[];
  }
  export interface Result {
    readonly requests: { readonly average: number; readonly total: number };
    readonly latency: { readonly p50: number; readonly p99: number; readonly max: number };
    readonly non2xx: number;
    readonly errors: number;
    readonly timeouts: number;
    readonly statusCodeStats: Readonly<Record<string, { readonly count: number }>>;
  }
  // biome-ignore lint/style/noDefaultExport: this is how the package exports it.
  export default function autocannon(options: Options): Promise<Result>;
}
