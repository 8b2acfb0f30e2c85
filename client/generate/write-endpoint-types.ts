import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { loadEndpoints } from '../../shared/endpoints/load-endpoints.ts';
import { loadTableSchemas } from '../../shared/schema/load-table-schemas.ts';
import { endpointTypes } from './endpoint-types.ts';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const endpoints = await loadEndpoints(path('../../queries'));
const tables = await loadTableSchemas(path('../../queries/sources'));
await writeFile(path('../endpoints.d.ts'), endpointTypes(endpoints.all, tables));
