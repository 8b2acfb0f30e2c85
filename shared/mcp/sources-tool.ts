import type { CatalogueEndpoint } from '../explorer/catalogue.ts';
import type { ColumnSchema } from '../http/response/column-schema.ts';
import { didYouMean } from '../sql/text/nearest-names.ts';
import { quoted, textArgument } from './arguments.ts';
import { type Tool, ToolError } from './tool.ts';

/** The tool that describes what queries can name in FROM: all sources by name, or one with its columns. */
export function sourcesTool(endpoints: readonly CatalogueEndpoint[]): readonly Tool[] {
  const open = endpoints.filter(({ sources }) => sources.length > 0);
  if (open.length === 0) return [];
  const names = open.map(({ name }) => name);
  return [
    {
      name: 'sources',
      title: 'Sources and their columns',
      description:
        'Lists the sources of each endpoint. With the argument "source", describes its columns with types and nested fields, as a query can name them.',
      inputSchema: {
        type: 'object',
        properties: {
          endpoint: { type: 'string', enum: names, description: 'Only the sources of this endpoint.' },
          source: { type: 'string', description: 'The source to describe, such as edge_logs.' },
        },
        required: [],
        additionalProperties: false,
      },
      async run(given) {
        const endpoint = textArgument(given, 'endpoint');
        const source = textArgument(given, 'source');
        const asked = open.filter(({ name }) => endpoint === null || name === endpoint);
        if (asked.length === 0) throw new ToolError(`The argument "endpoint" takes ${names.join(' or ')}.`);
        return source === null ? list(asked) : describe(asked, source);
      },
    },
  ];
}

function list(endpoints: readonly CatalogueEndpoint[]): string {
  return JSON.stringify({
    endpoints: endpoints.map(({ name, description, sources }) => ({
      name,
      description,
      sources: sources.map((source) => source.name),
    })),
  });
}

function describe(endpoints: readonly CatalogueEndpoint[], name: string): string {
  const found = endpoints.flatMap(({ name: endpoint, sources }) =>
    sources
      .filter((source) => source.name === name)
      .map(({ columns }) => ({ endpoint, source: name, columns: columns.map(columnText) })),
  );
  if (found.length > 0) return JSON.stringify({ sources: found });
  const names = [...new Set(endpoints.flatMap(({ sources }) => sources.map((source) => source.name)))];
  throw new ToolError(
    `There is no source ${quoted(name)}${didYouMean(name, names) || '.'} The sources are ${names.join(', ')}.`,
  );
}

/** A column as GoogleSQL declares one: `metadata ARRAY<STRUCT<request ARRAY<STRUCT<path STRING>>>>`. */
function columnText({ name, ...column }: ColumnSchema): string {
  return `${name} ${typeText(column)}`;
}

/** BigQuery's table schemas call some types by another name than queries do. */
const QUERY_NAMES: Readonly<Record<string, string>> = { INTEGER: 'INT64', FLOAT: 'FLOAT64', BOOLEAN: 'BOOL' };

function typeText({ type, mode, fields }: Omit<ColumnSchema, 'name'>): string {
  const single =
    fields === undefined ? (QUERY_NAMES[type] ?? type) : `STRUCT<${fields.map(columnText).join(', ')}>`;
  return mode === 'REPEATED' ? `ARRAY<${single}>` : single;
}
