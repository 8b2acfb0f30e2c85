/** What the auth server says about a refused request, by status. */
export const AUTH_FAILURES: Readonly<Record<number, readonly string[]>> = {
  400: [
    'invalid_grant: Invalid login credentials',
    'invalid_grant: Email not confirmed',
    'Invalid Refresh Token: Refresh Token Not Found',
    'Invalid Refresh Token: Already Used',
  ],
  401: ['This endpoint requires a valid Bearer token'],
  403: ['invalid JWT: unable to parse or verify signature, token has invalid claims: token is expired'],
  422: ['User already registered', 'Password should be at least 8 characters'],
  429: [
    'over_request_rate_limit: Request rate limit reached',
    'over_email_send_rate_limit: email rate limit exceeded',
  ],
  500: ['Database error querying schema'],
};
