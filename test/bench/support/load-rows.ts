export const LOAD_TOKEN = 'lqe_token-of-the-load-benchmark';

/** Rows whose envelope has about so many bytes. */
export function rowsOfSize(bytes: number): readonly string[] {
  const row = (n: number) =>
    `{"timestamp":"2026-01-31T12:00:00","total_rest_requests":${n},"total_storage_requests":7,"total_auth_requests":${n % 10},"total_realtime_requests":0}`;
  return Array.from({ length: Math.max(1, Math.round(bytes / row(100).length)) }, (_, n) => row(100 + n));
}
