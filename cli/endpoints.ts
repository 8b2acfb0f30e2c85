import { QueryError } from '../client/client.js';
import { nounFor } from '../shared/errors/noun-for.ts';
import { processContext } from '../shared/runtime/config-context.ts';
import { escapeUnprintable } from '../shared/runtime/printable.ts';
import { commandHelp } from './arguments/help-text.ts';
import { parseArguments } from './arguments/parse-arguments.ts';
import { ENDPOINTS } from './commands/endpoints.ts';
import { builtInEndpoints, fetchCatalogue, type ListedEndpoint } from './endpoints/catalogue.ts';
import { serviceAddress } from './service/address.ts';
import { exitCodeOf, failureText } from './service/show-failure.ts';
import { type Colours, coloursFor } from './terminal/colour.ts';

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
    const served = await fetchCatalogue(address);
    if (served === null) {
      const note = `${address.baseUrl.origin} does not list its endpoints; these are the ones that come with this program.`;
      stderr.write(`${complain.yellow(note)}\n`);
    }
    const endpoints = served ?? (await builtInEndpoints(processContext(false).builtInQueries));
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

/** A paragraph an endpoint: name, what it answers, parameters, sources. */
export function endpointsText(endpoints: readonly ListedEndpoint[], colours: Colours): string {
  return endpoints.map((endpoint) => describe(endpoint, colours)).join('\n');
}

function describe(endpoint: ListedEndpoint, { bold, dim }: Colours): string {
  const { name, id, description, parameters, sources, maxRows, cacheTtlSeconds } = endpoint;
  const width = Math.max(0, ...parameters.map((parameter) => parameter.name.length));
  const caching = cacheTtlSeconds === 0 ? 'not cached' : `cached for ${cacheTtlSeconds} s`;
  const lines = [
    `${bold(escapeUnprintable(name))}  ${dim(escapeUnprintable(id))}`,
    `  ${escapeUnprintable(description)} At most ${maxRows} ${nounFor(maxRows, 'row')}, ${caching}.`,
    ...parameters.map((parameter) => {
      const need = parameter.required ? ' (required)' : '';
      return `  ${escapeUnprintable(parameter.name).padEnd(width)}  ${escapeUnprintable(parameter.description)}${need}`;
    }),
    ...(sources.length === 0
      ? []
      : [`  sources: ${sources.map((source) => escapeUnprintable(source.name)).join(', ')}`]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
