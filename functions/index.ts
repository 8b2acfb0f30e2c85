import { http } from '@google-cloud/functions-framework';
import { asFrameworkFunction, leaveRequestsToHandlers } from '../shared/http/framework-requests.ts';
import { fromEnvironment } from './from-environment.ts';
import { makeGateway } from './gateway.ts';
import { makeLogsAll } from './logs-all.ts';
import { makeUsageApiCounts } from './usage-api-counts.ts';
import { makeWarm } from './warm.ts';

/*
 * The functions by the names under which they are deployed:
 *   functions-framework --target=gateway
 */
leaveRequestsToHandlers();
http('logs-all', asFrameworkFunction(fromEnvironment(makeLogsAll)));
http('usage-api-counts', asFrameworkFunction(fromEnvironment(makeUsageApiCounts)));
http('warm', asFrameworkFunction(fromEnvironment(makeWarm)));
http('gateway', asFrameworkFunction(fromEnvironment(makeGateway)));
