import { type AccessToken, tokenState } from '../../shared/access/access-token.ts';
import type { TokenRegistry } from '../../shared/access/token-registry.ts';
import { nounFor } from '../../shared/errors/noun-for.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { error, type Finding, warning } from './finding.ts';

const SUBJECT = 'access tokens';
const MS_PER_DAY = 86_400_000;
/** Who has to hand out a new one needs some days for it. */
const SOON_DAYS = 7;

/** Looks whether anybody can call the service, and for how long. */
export async function checkTokens(registry: TokenRegistry, nowMs: number): Promise<readonly Finding[]> {
  try {
    const { tokens, problems } = await registry.list();
    return [
      ...problems.map((problem) =>
        error(SUBJECT, problem.replace(/\.$/, ''), 'delete the record and issue the token again'),
      ),
      ...usableFaults(tokens, nowMs),
    ];
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    return [
      error(SUBJECT, thrown.message.replace(/\.$/, ''), 'no caller can use the service until that is fixed'),
    ];
  } finally {
    await registry.close();
  }
}

function usableFaults(tokens: readonly AccessToken[], nowMs: number): readonly Finding[] {
  const issue = 'issue one with "lqe tokens issue --name NAME"';
  if (tokens.length === 0) return [error(SUBJECT, 'there are none, so no caller can use the service', issue)];
  const active = tokens.filter((token) => tokenState(token, nowMs) === 'active');
  if (active.length === 0) {
    return [error(SUBJECT, 'all have expired or were revoked, so no caller can use the service', issue)];
  }
  return tokens.flatMap((token) => {
    const { name, expiresAtMs } = token;
    const state = tokenState(token, nowMs);
    if (state === 'revoked' || expiresAtMs === null) return [];
    if (state === 'expired') {
      return [
        warning(SUBJECT, `"${name}" has expired`, 'issue a new one to its holder, and revoke this one'),
      ];
    }
    const days = (expiresAtMs - nowMs) / MS_PER_DAY;
    if (days > SOON_DAYS) return [];
    const rest = days < 1 ? 'within a day' : `in ${Math.floor(days)} ${nounFor(Math.floor(days), 'day')}`;
    return [warning(SUBJECT, `"${name}" expires ${rest}`, 'issue a new one to its holder')];
  });
}
