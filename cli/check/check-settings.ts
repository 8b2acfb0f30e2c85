import type { Config, Environment } from '../../shared/runtime/config.ts';
import { unknownVariables } from '../arguments/unknown-variables.ts';
import { error, type Finding, warning } from './finding.ts';

const SUBJECT = 'settings';

/** What is wrong with settings that are valid one by one. */
export function checkSettings(config: Config): readonly Finding[] {
  return config.warehouse === 'bigquery' ? cloudFaults(config) : [];
}

/** Misspelt variables. */
export function checkVariables(env: Environment): readonly Finding[] {
  return unknownVariables(env).map(({ problem, remedy }) => warning(SUBJECT, problem, remedy));
}

/** Where several instances answer, nothing may be kept in one of them alone. */
function cloudFaults(config: Config): readonly Finding[] {
  const faults: Finding[] = [];
  if (config.cursorKey === null) {
    faults.push(
      error(
        SUBJECT,
        'LQE_CURSOR_KEY is not set, so an instance refuses the next pages of another instance',
        'set the same secret of 16 characters or more for all instances ("terraform apply" makes one in Secret Manager)',
      ),
    );
  }
  if (config.cache === 'memory') {
    faults.push(
      error(
        SUBJECT,
        'LQE_CACHE is memory beside BigQuery, so each instance runs every query itself and warming has no effect',
        'set LQE_CACHE=firestore',
      ),
    );
  }
  if (config.tokenStore === 'file') {
    faults.push(
      error(
        SUBJECT,
        'LQE_TOKEN_STORE is file beside BigQuery, and deployed functions have no such file',
        'set LQE_TOKEN_STORE=firestore',
      ),
    );
  }
  if (config.token !== null) {
    faults.push(
      warning(
        SUBJECT,
        'LQE_TOKEN is an access token with all rights that cannot be revoked',
        'remove it from deployments and issue tokens with "lqe tokens issue"',
      ),
    );
  }
  if (config.nowMicros !== null) {
    faults.push(
      error(SUBJECT, 'LQE_NOW makes the clock stand still beside BigQuery', 'remove it: it is for old logs'),
    );
  }
  if ((config.warmAudience === null) !== (config.warmServiceAccount === null)) {
    const missing = config.warmAudience === null ? 'LQE_WARM_AUDIENCE' : 'LQE_WARM_SERVICE_ACCOUNT';
    faults.push(
      warning(
        SUBJECT,
        `${missing} is not set, so calls of the function warm are only partly checked`,
        'set it as terraform/warm.tf does',
      ),
    );
  }
  return faults;
}
