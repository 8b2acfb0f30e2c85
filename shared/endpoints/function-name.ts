/** An endpoint's name as that of its function, which has no dots: `logs.all` is `logs-all`. */
export function functionName(endpoint: string): string {
  return endpoint.replaceAll(/[._]/g, '-');
}
