import type { Client } from '../../client/client.d.ts';
import type { CatalogueEndpoint } from '../explorer/catalogue.ts';
import { parameterValues, READABLE_TIMES } from './arguments.ts';
import { rowsText } from './rows-text.ts';
import type { Tool } from './tool.ts';

/** The tool that runs an endpoint's stored query; its arguments are the endpoint's parameters. */
export function endpointTool(client: Client, endpoint: CatalogueEndpoint): Tool {
  const { name, description, maxRows, parameters } = endpoint;
  return {
    name: toolName(name),
    title: name,
    description: `${description} Runs the stored query of the endpoint ${name}; at most ${maxRows} rows.`,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(parameters.map((one) => [one.name, parameterSchema(one)])),
      required: parameters.filter(({ required }) => required).map((one) => one.name),
      additionalProperties: false,
    },
    run: async (given, signal) =>
      rowsText(await client.query(name as string, parameterValues(given), { ...READABLE_TIMES, signal })),
  };
}

/** A name that every client takes: other characters become underscores. */
export function toolName(endpoint: string): string {
  return endpoint.replace(/[^A-Za-z0-9_]/g, '_').slice(0, MAX_NAME);
}

/** The longest name that common clients take. */
const MAX_NAME = 64;

/** JSON Schema's type for those of GoogleSQL that have one; the others are written as text. */
const JSON_TYPES: Readonly<Record<string, string>> = { BOOL: 'boolean', INT64: 'integer', FLOAT64: 'number' };

/** A parameter in JSON Schema. */
export function parameterSchema(
  spec: CatalogueEndpoint['parameters'][number],
): Readonly<Record<string, unknown>> {
  const { type, allowed, format, description, example, maxLength } = spec;
  const jsonType = JSON_TYPES[type] ?? 'string';
  const kind =
    type === 'TIMESTAMP'
      ? ' An instant in ISO 8601.'
      : format === 're2'
        ? ' A regular expression (RE2).'
        : '';
  return {
    type: jsonType,
    description: `${description}.${kind}`,
    ...(allowed === null ? {} : { enum: allowed }),
    ...(jsonType === 'string' ? { maxLength } : {}),
    ...(example === '' ? {} : { examples: [example] }),
  };
}
