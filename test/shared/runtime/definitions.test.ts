import { expect, test } from '@jest/globals';
import { packDefinitions, unpackDefinitions } from '../../../shared/runtime/definitions.ts';
import { readDefinitions } from '../../../shared/runtime/read-definitions.ts';

const definitions = await readDefinitions({
  queriesDirectory: 'queries',
  sourcesDirectory: 'queries/sources',
});
const names = definitions.endpoints.all.map(({ name }) => name);

test('definitions are the same after they were written down as JSON', () => {
  const text = JSON.stringify(packDefinitions(definitions, names));
  const { endpoints, schemas } = unpackDefinitions(JSON.parse(text));
  expect(endpoints.all).toStrictEqual(definitions.endpoints.all);
  expect(schemas).toStrictEqual(definitions.schemas);
});

test('a function is given its own endpoints and all tables', () => {
  const { endpoints, schemas } = unpackDefinitions(packDefinitions(definitions, ['logs.all']));
  expect(endpoints.all.map(({ name }) => name)).toEqual(['logs.all']);
  expect(endpoints.find('LOGS.ALL')).toBeUndefined();
  expect(endpoints.find(endpoints.all[0]!.id.toUpperCase())?.name).toBe('logs.all');
  expect(schemas.size).toBe(9);
});
