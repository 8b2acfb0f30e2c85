import { z } from 'zod';
import { QueryError } from '../../client/client.js';
import { loadEndpoints } from '../../shared/endpoints/load-endpoints.ts';
import type { ServiceAddress } from '../service/address.ts';
import { CATALOGUE_PATH, getFrom, parseJson, unexpectedService } from '../service/get.ts';

const name = z.string().max(200);
const listedEndpoint = z.object({
  id: name,
  name,
  description: z.string().max(2000),
  maxRows: z.number(),
  cacheTtlSeconds: z.number(),
  parameters: z.array(
    z.object({ name, type: name, required: z.boolean(), description: z.string().max(2000) }),
  ),
  sources: z.array(z.object({ name })),
});
const catalogue = z.object({ endpoints: z.array(listedEndpoint).max(1000) });

/** An endpoint as it is listed. */
export type ListedEndpoint = z.infer<typeof listedEndpoint>;

/** What the service says that it serves; null where it has no such list. Throws a QueryError. */
export async function fetchCatalogue(address: ServiceAddress): Promise<readonly ListedEndpoint[] | null> {
  const fetched = await fetchCatalogueAs(address, catalogue);
  return fetched?.endpoints ?? null;
}

/** The service's catalogue, as much of it as `schema` reads; null where it has none. Throws a QueryError. */
export async function fetchCatalogueAs<T>(address: ServiceAddress, schema: z.ZodType<T>): Promise<T | null> {
  const { status, text } = await getFrom(address, CATALOGUE_PATH);
  if (status === 404) return null;
  if (status >= 300) throw failureOf(status, text);
  const parsed = schema.safeParse(parseJson(text));
  if (!parsed.success) throw unexpectedService();
  return parsed.data;
}

/** The endpoints that come with this program. */
export async function builtInEndpoints(directory: string): Promise<readonly ListedEndpoint[]> {
  const { all } = await loadEndpoints(directory);
  return all.map((endpoint) => listedEndpoint.parse({ ...endpoint, sources: [] }));
}

const envelope = z.object({ error: z.object({ message: z.string(), status: z.string() }) });

function failureOf(code: number, text: string): QueryError {
  const parsed = envelope.safeParse(parseJson(text));
  if (!parsed.success)
    return new QueryError(`The answer was ${code}, and not from this service.`, { code, status: 'UNKNOWN' });
  return new QueryError(parsed.data.error.message, { code, status: parsed.data.error.status });
}
