import { QueryError } from '../client/client.js';
import { processContext } from '../shared/runtime/config-context.ts';
import { commandHelp } from './arguments/help-text.ts';
import { parseArguments } from './arguments/parse-arguments.ts';
import { ENDPOINTS } from './commands/endpoints.ts';
import { askCatalogue, builtInEndpoints } from './endpoints/catalogue.ts';
import { endpointsText } from './endpoints/format-endpoints.ts';
import { serviceAddress } from './service/address.ts';
import { exitCodeOf, failureText } from './service/show-failure.ts';
import { coloursFor } from './terminal/colour.ts';

/** Runs `lqe endpoints` and answers the exit code, as its help says. */
export async function runEndpoints(argv: readonly string[], process: NodeJS.Process): Promise<number> {
  const { env, stdout, stderr } = process;
  const given = parseArguments(argv, ENDPOINTS);
  if (given.wantsHelp) {
    stdout.write(commandHelp(ENDPOINTS));
    return 0;
  }
  const address = await serviceAddress(given, env);
  const complain = coloursFor(stderr, env);
  try {
    const told = await askCatalogue(address);
    if (told === null) {
      const note = `${address.baseUrl.origin} does not tell its endpoints; these are the ones that come with this program.`;
      stderr.write(`${complain.yellow(note)}\n`);
    }
    const endpoints = told ?? (await builtInEndpoints(processContext(false).builtInQueries));
    stdout.write(
      given.has('--json')
        ? `${JSON.stringify(endpoints, null, 2)}\n`
        : endpointsText(endpoints, coloursFor(stdout, env)),
    );
    return 0;
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    stderr.write(failureText(error, { command: ENDPOINTS, query: null, colours: complain }));
    return exitCodeOf(error);
  }
}
