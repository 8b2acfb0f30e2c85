import { ServiceError } from '../../errors/service-error.ts';
import { SCRIPT_HEADERS } from '../request/request-headers.ts';
import { emptyReply, type Reply } from '../response/reply.ts';

/** Which methods a route takes, with the answers that follow from that. */
export interface RouteMethods {
  /** Throws method_not_allowed, with Allow, for any other method. */
  check(method: string): void;
  /** The answer to OPTIONS, a browser's preflight among them (Fetch standard, section 3.2.2). */
  readonly preflight: Reply;
}

/** Two hours, the longest that browsers keep a preflight. */
const PREFLIGHT_MAX_AGE_SECONDS = 7200;

/** A route's methods; OPTIONS comes with each. */
export function routeMethods(methods: readonly string[]): RouteMethods {
  const known = new Set(methods);
  const allow = [...methods, 'OPTIONS'].join(', ');
  return {
    check(method) {
      if (known.has(method)) return;
      throw new ServiceError('method_not_allowed', `This address takes ${allow}.`, {
        headers: { Allow: allow },
      });
    },
    preflight: emptyReply(204, [
      'Allow',
      allow,
      'Access-Control-Allow-Methods',
      allow,
      'Access-Control-Allow-Headers',
      SCRIPT_HEADERS.join(', '),
      'Access-Control-Max-Age',
      String(PREFLIGHT_MAX_AGE_SECONDS),
    ]),
  };
}
