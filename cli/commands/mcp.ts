import type { Command } from './command.ts';
import { SERVICE_NOTES, SERVICE_OPTIONS } from './shared-options.ts';

export const MCP: Command = {
  name: 'mcp',
  summary: 'Serve the endpoints of a service to an agent, as tools over standard input and output',
  operands: [],
  options: SERVICE_OPTIONS,
  notes: [
    'Speaks the Model Context Protocol. An agent starts this command itself; docs/mcp.md says how to tell it to.',
    'Lists the endpoints that the access token may use. A deployment without the explorer has no list; then the tools are those of the built-in endpoints.',
    ...SERVICE_NOTES,
  ],
};
