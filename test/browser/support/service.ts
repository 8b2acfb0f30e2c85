/** Where the service listens that start-service.ts started. */
export function serviceUrl(): string {
  const url = process.env.EXPLORER_URL;
  if (url === undefined) throw new Error('the service was not started');
  return url;
}

/** The token that it was started with. */
export const TOKEN = 'lqe_token-of-the-browser-suites';
