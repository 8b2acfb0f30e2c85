import type { Client, OwnQuery } from '../../client/client.d.ts';
import type { CatalogueEndpoint } from '../explorer/catalogue.ts';
import { objectArgument, parameterValues, READABLE_TIMES, textArgument } from './arguments.ts';
import { rowsText } from './rows-text.ts';
import { type ArgumentsSchema, type Tool, type ToolArguments, ToolError } from './tool.ts';

/** The tools for ad-hoc queries over the endpoints that allow them; none where no endpoint does. */
export function queryTools(client: Client, endpoints: readonly CatalogueEndpoint[]): readonly Tool[] {
  const open = endpoints.filter(({ sandbox }) => sandbox);
  if (open.length === 0) return [];
  const inputSchema = querySchema(open);
  return [
    {
      name: 'query',
      title: 'Ad-hoc query',
      description:
        "Runs a query over an endpoint's sources, in GoogleSQL (`sql`) or in LQL (`lql`). FROM can name only those sources; the tool `sources` lists them with their columns. Arrays of records need UNNEST: FROM edge_logs AS t CROSS JOIN UNNEST(t.metadata) AS m CROSS JOIN UNNEST(m.request) AS r.",
      inputSchema,
      async run(given, signal) {
        const { endpoint, parameters, query } = readQuery(given, open);
        return rowsText(await client.query(endpoint, parameters, { ...query, ...READABLE_TIMES, signal }));
      },
    },
    {
      name: 'explain',
      title: 'Explain a query',
      description:
        'Checks a query without running it: its columns, the sources that it reads, what it would read in bytes, and warnings.',
      inputSchema,
      async run(given, signal) {
        const { endpoint, parameters, query } = readQuery(given, open);
        return JSON.stringify(await client.explain(endpoint, parameters, { ...query, signal }));
      },
    },
  ];
}

function querySchema(endpoints: readonly CatalogueEndpoint[]): ArgumentsSchema {
  const names = endpoints.map(({ name }) => name);
  const [first] = names;
  return {
    type: 'object',
    properties: {
      endpoint: {
        type: 'string',
        enum: names,
        description: `The endpoint whose sources are queried; without it, ${first}.`,
      },
      sql: { type: 'string', description: 'The query in GoogleSQL, one SELECT.' },
      lql: {
        type: 'string',
        description: 'The query in LQL, such as "status:>499 t:last@hour"; not beside sql.',
      },
      parameters: {
        type: 'object',
        additionalProperties: { type: ['string', 'number', 'boolean'] },
        description: `The parameters of the endpoint and of the query. ${endpoints.map(parametersText).join(' ')}`,
      },
    },
    required: [],
    additionalProperties: false,
  };
}

function parametersText({ name, parameters }: CatalogueEndpoint): string {
  const listed = parameters.map((one) => {
    const accepted = one.allowed === null ? '' : ` (${one.allowed.join(', ')})`;
    return `${one.name}${one.required ? ', required' : ''}: ${one.description}${accepted}`;
  });
  return `Those of ${name}: ${listed.length === 0 ? 'none' : listed.join('; ')}.`;
}

interface QueryCall {
  readonly endpoint: string;
  readonly parameters: ReturnType<typeof parameterValues>;
  readonly query: OwnQuery;
}

function readQuery(given: ToolArguments, endpoints: readonly CatalogueEndpoint[]): QueryCall {
  const names = endpoints.map(({ name }) => name);
  const endpoint = textArgument(given, 'endpoint') ?? names[0] ?? '';
  if (!names.includes(endpoint)) {
    throw new ToolError(`The argument "endpoint" takes ${names.join(' or ')}.`);
  }
  const parameters = parameterValues(objectArgument(given, 'parameters'));
  const [sql, lql] = [textArgument(given, 'sql'), textArgument(given, 'lql')];
  if ((sql === null) === (lql === null)) throw new ToolError('Give a query as either "sql" or "lql".');
  return { endpoint, parameters, query: sql === null ? { lql: lql ?? '' } : { sql } };
}
