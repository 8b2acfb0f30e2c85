import { http } from '@google-cloud/functions-framework';
import { asFrameworkFunction, bypassFramework } from '../shared/http/server/framework-requests.ts';
import { guardFrameworkServers } from '../shared/http/server/framework-server.ts';
import { endOnBadSettings, fromEnvironment } from './from-environment.ts';
import { makeGateway } from './gateway.ts';
import { makeIngest } from './ingest.ts';
import { makeLogsAll } from './logs-all.ts';
import { makeUsageApiCounts } from './usage-api-counts.ts';
import { makeWarm } from './warm.ts';

/*
 * The functions by the names under which they are deployed:
 *   functions-framework --target=gateway
 */
endOnBadSettings(process);
const functions = {
  'logs-all': fromEnvironment(makeLogsAll),
  'usage-api-counts': fromEnvironment(makeUsageApiCounts),
  warm: fromEnvironment(makeWarm),
  ingest: fromEnvironment(makeIngest),
  gateway: fromEnvironment(makeGateway),
};

guardFrameworkServers(process, async () => {
  await Promise.all(Object.values(functions).map(({ close }) => close()));
});
bypassFramework();
for (const [name, { handler }] of Object.entries(functions)) http(name, asFrameworkFunction(handler));
