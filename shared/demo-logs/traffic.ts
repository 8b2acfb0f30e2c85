import { type Client, pickClient, pickUser, type User } from './clients.ts';
import { fill } from './fill.ts';
import { INCIDENT, isIncident } from './incident.ts';
import { later, type Moment } from './moment.ts';
import type { Random } from './random.ts';
import { DOCUMENTS, IMAGES, TABLES } from './resources.ts';
import { ROUTES, type Route } from './routes.ts';
import type { Period } from './slots.ts';
import { momentIn, randomOf, type Slot, type Stream, usedSlots } from './slots.ts';

/** One API request, which the edge and then other sources log. */
export interface ApiRequest {
  readonly slot: Slot;
  readonly project: string;
  readonly route: Route;
  /** When it arrived. */
  readonly at: Moment;
  readonly path: string;
  readonly search: string | undefined;
  readonly url: string;
  readonly host: string;
  /** The table it is about, for the REST area. */
  readonly table: string;
  readonly status: number;
  readonly originMs: number;
  readonly client: Client;
  readonly user: User;
  readonly rayId: string;
}

const STEADY: Stream = { name: 'traffic', slotSeconds: 6 };
const BURST: Stream = { name: 'burst', slotSeconds: 2, isActive: isIncident };

const BURST_ROUTE: Route = {
  area: 'rest',
  method: 'GET',
  path: INCIDENT.path,
  search: '?select=*&status=eq.open&order=created_at.desc',
  statuses: [
    [503, 55],
    [504, 45],
  ],
  contentType: 'application/json; charset=utf-8',
  originMs: [8000, 8400],
};

/** All requests to the project: one every few seconds, and many more while the incident lasts. */
export function* apiRequests(project: string, period: Period): Generator<ApiRequest> {
  for (const slot of usedSlots(STEADY, project, period)) {
    const random = randomOf(slot, 'request');
    yield requestIn(slot, random, random.weighted(ROUTES));
  }
  for (const slot of usedSlots(BURST, project, period)) {
    yield requestIn(slot, randomOf(slot, 'request'), BURST_ROUTE);
  }
}

/** The request's ray as answers carry it, with the data centre; what joins other sources with the edge's entry. */
export function edgeRayOf({ rayId, client }: ApiRequest): string {
  return `${rayId}-${client.place.colo}`;
}

/** When the answer left, which is when the other sources have logged the request. */
export function answeredAt(request: ApiRequest): Moment {
  return later(request.at, request.originMs);
}

function requestIn(slot: Slot, random: Random, drawn: Route): ApiRequest {
  const { project } = slot;
  const values = {
    table: pickTable(project, random),
    image: fill(random.pick(IMAGES), { number: random.int(10, 99) }),
    document: fill(random.pick(DOCUMENTS), { number: random.int(10, 99) }),
    number: random.int(1, 4000),
    uuid: random.uuid(),
  };
  const drawnPath = fill(drawn.path, values);
  const route = drawnPath === INCIDENT.path && isIncident(project, slot.second) ? BURST_ROUTE : drawn;
  const path = fill(route.path, values);
  const search = route.search === undefined ? undefined : fill(route.search, values);
  const host = `${project}.example.co`;
  return {
    slot,
    project,
    route,
    at: momentIn(slot, random),
    path,
    search,
    host,
    url: `https://${host}${path}${search ?? ''}`,
    table: path.split('/').at(-1) ?? '',
    status: random.weighted(route.statuses),
    originMs: Math.round(route.originMs[0] + (route.originMs[1] - route.originMs[0]) * random.unit() ** 4),
    client: pickClient(project, random),
    user: pickUser(project, random),
    rayId: `${random.hex(8)}${random.hex(8)}`,
  };
}

function pickTable(project: string, random: Random): string {
  const tables = TABLES[project] ?? ['items'];
  return tables[Math.floor(tables.length * random.unit() ** 1.5)] as string;
}
