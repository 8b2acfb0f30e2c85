import { makeClient, QueryError } from '../client/client.js';
import { processContext } from '../shared/runtime/config-context.ts';
import { commandHelp } from './arguments/help-text.ts';
import { parseArguments } from './arguments/parse-arguments.ts';
import { MCP } from './commands/mcp.ts';
import { toolEndpoints } from './mcp/tool-catalogue.ts';
import { serviceAddress } from './service/address.ts';
import { exitCodeOf, failureText } from './service/show-failure.ts';
import { coloursFor } from './terminal/colour.ts';
import { takeStopSignals } from './terminal/stop-signals.ts';

/** Runs `lqe mcp` until its standard input ends, or SIGINT or SIGTERM; answers the exit code, as its help says. */
export async function runMcp(argv: readonly string[], process: NodeJS.Process): Promise<number> {
  const { env, stdin, stdout, stderr } = process;
  const given = parseArguments(argv, MCP);
  if (given.wantsHelp) {
    stdout.write(commandHelp(MCP));
    return 0;
  }
  const address = await serviceAddress(given, env);
  try {
    const endpoints = await toolEndpoints(address, processContext(false).builtInQueries);
    const [{ mcpServer }, { StdioServerTransport }] = await Promise.all([
      import('../shared/mcp/mcp-server.ts'),
      import('@modelcontextprotocol/sdk/server/stdio.js'),
    ]);
    const server = mcpServer(makeClient(address), endpoints);
    const stop = takeStopSignals(process);
    stop.settle();
    const closed = new Promise<void>((resolve) => {
      server.onclose = resolve;
      stdin.once('end', resolve).once('close', resolve);
      stop.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await server.connect(new StdioServerTransport(stdin, stdout));
    await closed;
    await server.close();
    return stop.exitCode() ?? 0;
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    stderr.write(failureText(error, { command: MCP, query: null, colours: coloursFor(stderr, env) }));
    return exitCodeOf(error);
  }
}
