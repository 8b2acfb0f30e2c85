import { z } from 'zod';
import type { CatalogueEndpoint } from '../../shared/explorer/catalogue.ts';
import type { ColumnSchema } from '../../shared/http/response/column-schema.ts';
import { fetchCatalogueAs } from '../endpoints/catalogue.ts';
import type { ServiceAddress } from '../service/address.ts';

const name = z.string().max(300);
const text = z.string().max(4000);
const column: z.ZodType<ColumnSchema> = z.lazy(() =>
  z.object({
    name,
    type: name,
    mode: z.enum(['NULLABLE', 'REPEATED']),
    fields: z.array(column).exactOptional(),
  }),
);
const endpoint = z.object({
  id: name,
  name,
  description: text,
  maxRows: z.number(),
  cacheTtlSeconds: z.number(),
  sandbox: z.boolean(),
  projectParameter: name.nullable(),
  parameters: z.array(
    z.object({
      name,
      type: z.enum(['STRING', 'INT64', 'FLOAT64', 'BOOL', 'TIMESTAMP']),
      required: z.boolean(),
      allowed: z.array(text).nullable(),
      format: z.literal('re2').nullable(),
      maxLength: z.number(),
      description: text,
      example: text,
    }),
  ),
  sources: z.array(
    z.object({
      name,
      columns: z.array(column),
      // Earlier versions of the service do not list it.
      severity: z.array(z.object({ path: z.array(name), kind: z.enum(['level', 'status']) })).default([]),
    }),
  ),
});
const catalogue = z.object({ endpoints: z.array(endpoint).max(1000) });

/**
 * The endpoints that the service lists for the token, else those that come with this program, where the service has no
 * list. Throws a QueryError.
 */
export async function toolEndpoints(
  address: ServiceAddress,
  builtInQueries: string,
): Promise<readonly CatalogueEndpoint[]> {
  const served = await fetchCatalogueAs(address, catalogue);
  return served?.endpoints ?? builtInEndpoints(builtInQueries);
}

async function builtInEndpoints(queriesDirectory: string): Promise<readonly CatalogueEndpoint[]> {
  const [{ readDefinitions }, { describeEndpoints }] = await Promise.all([
    import('../../shared/runtime/read-definitions.ts'),
    import('../../shared/explorer/catalogue.ts'),
  ]);
  const { endpoints, schemas } = await readDefinitions({
    queriesDirectory,
    sourcesDirectory: `${queriesDirectory}/sources`,
  });
  return describeEndpoints(endpoints.all, schemas);
}
