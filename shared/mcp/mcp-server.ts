import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Client } from '../../client/client.d.ts';
import { QueryError } from '../../client/client.js';
import type { CatalogueEndpoint } from '../explorer/catalogue.ts';
import { didYouMean } from '../sql/text/nearest-names.ts';
import { checkArguments, quoted } from './arguments.ts';
import { endpointTool } from './endpoint-tool.ts';
import { queryTools } from './query-tools.ts';
import { sourcesTool } from './sources-tool.ts';
import { type Tool, ToolError } from './tool.ts';

const SERVER = { name: 'log-query-endpoints', title: 'Log Query Endpoints', version: '0.1.0' };

const INSTRUCTIONS = [
  'Answers questions over logs.',
  'Tools named after an endpoint run its stored query; `query` runs a query of your own over the sources that `sources` describes.',
  'Give the narrowest range of time that answers the question, and aggregate rather than read rows.',
  'Timestamps in rows are in ISO 8601, in UTC.',
].join(' ');

/**
 * A server of the Model Context Protocol over the endpoints that a caller may use. `client` sends the queries and carries
 * the caller's token, so that all its limits hold. What a query is refused for comes back as an error of the tool.
 */
export function mcpServer(client: Client, endpoints: readonly CatalogueEndpoint[]): Server {
  const tools = toolsOf(client, endpoints);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const server = new Server(SERVER, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ name, title, description, inputSchema }) => ({
      name,
      title,
      description,
      inputSchema: { ...inputSchema, required: [...inputSchema.required] },
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    try {
      const tool = byName.get(params.name);
      if (tool === undefined) {
        const names = [...byName.keys()];
        throw new ToolError(
          `There is no tool ${quoted(params.name)}${didYouMean(params.name, names) || '.'} The tools are ${names.join(', ')}.`,
        );
      }
      const given = params.arguments ?? {};
      checkArguments(tool.inputSchema, given);
      return { content: [{ type: 'text', text: await tool.run(given, signal) }] };
    } catch (error) {
      return { isError: true, content: [{ type: 'text', text: problemText(error) }] };
    }
  });
  return server;
}

/** Where two names become one tool's name, the later tool gets a number. */
function toolsOf(client: Client, endpoints: readonly CatalogueEndpoint[]): readonly Tool[] {
  const taken = new Set<string>();
  const own = [...queryTools(client, endpoints), ...sourcesTool(endpoints)];
  return [...own, ...endpoints.map((endpoint) => endpointTool(client, endpoint))].map((tool) => {
    let { name } = tool;
    for (let number = 2; taken.has(name); number++) name = `${tool.name.slice(0, 60)}_${number}`;
    taken.add(name);
    return { ...tool, name };
  });
}

/** What the agent reads of a failure: what to change, and the place in its query. */
function problemText(error: unknown): string {
  if (error instanceof ToolError) return error.message;
  if (!(error instanceof QueryError)) throw error;
  const { message, status, details, retryAfterSeconds } = error;
  return JSON.stringify({
    error: message,
    status,
    ...(details.length === 0 ? {} : { details }),
    ...(retryAfterSeconds === null ? {} : { retry_after_seconds: retryAfterSeconds }),
  });
}
