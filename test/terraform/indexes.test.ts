import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { systemClock } from '../../shared/concurrency/clock.ts';
import {
  DEMAND_COLLECTION,
  firestoreDemandLog,
} from '../../shared/warming/firestore/firestore-demand-log.ts';
import { openSimulated } from '../simulation/firestore/client.ts';
import { directNetwork } from '../simulation/firestore/network.ts';
import { impliedOrders, type QueryPlan } from '../simulation/firestore/query.ts';
import { type Reading, SimulatedServer } from '../simulation/firestore/server.ts';
import { instances } from './support/resources.ts';
import { applied, terraformTest } from './support/terraform-test.ts';

/** A server that notes what is searched for. */
class NotingServer extends SimulatedServer {
  readonly plans: QueryPlan[] = [];

  override query(plan: QueryPlan, transaction: number | 'new' | null): Reading {
    this.plans.push(plan);
    return super.query(plan, transaction);
  }
}

/**
 * The fields of the index that Firestore wants for a query: those of its equalities, then those that it is ordered by,
 * inequalities included. One of a single field is there by itself.
 */
function indexOf(plan: QueryPlan): string[] {
  const equal = plan.filters.filter(({ operator }) => operator === '==').map(({ field }) => field);
  return [...equal, ...impliedOrders(plan).map(({ field, direction }) => `${field} ${direction}`)];
}

const index = z.object({
  collection: z.string(),
  fields: z.array(z.object({ field_path: z.string(), order: z.string() })),
});

test('the indexes are those that what is asked for is searched by', async () => {
  const server = new NotingServer({
    concurrency: 'pessimistic',
    nowMicros: () => Date.now() * 1000,
    later: () => {},
  });
  const sets = firestoreDemandLog({
    open: async () => openSimulated(server, directNetwork),
    clock: systemClock,
    warn: () => {},
    setsPerToken: 1,
  });
  const set = { endpointId: 'usage', parameters: {}, isRedacted: false };
  await sets.write(set, 'token');
  await sets.served(set);
  await sets.waiting('usage', 3600, 1);
  const needed = server.plans.map((plan) => [plan.collection, ...indexOf(plan)].join(', '));

  const resources = (await terraformTest({ all: applied() })).get('all')?.resources ?? [];
  const made = [...instances(resources, 'google_firestore_index').values()].map((values) => {
    const { collection, fields } = index.parse(values);
    // An equality takes either direction.
    const [first, ...others] = fields.map(({ field_path: field, order }) => [field, order] as const);
    return [
      collection,
      first?.[0],
      ...others.map(([field, order]) => `${field} ${order === 'ASCENDING' ? 'asc' : 'desc'}`),
    ].join(', ');
  });
  expect(server.plans.every(({ collection }) => collection === DEMAND_COLLECTION)).toBe(true);
  expect(new Set(made)).toEqual(new Set(needed));
});
