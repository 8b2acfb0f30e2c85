import { Timestamp } from '@google-cloud/firestore';
import { afterAll, describe, expect, it } from '@jest/globals';
import { digestToken } from '../../../shared/access/access-token.ts';
import { authenticate } from '../../../shared/access/authenticate.ts';
import { cachingTokenStore } from '../../../shared/access/caching-token-store.ts';
import { firestoreTokenRegistry } from '../../../shared/access/firestore/firestore-token-registry.ts';
import { firestoreTokenStore } from '../../../shared/access/firestore/firestore-token-store.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import { makeToken, tokenRegistryContract } from '../../shared/access/support/token-registry-contract.ts';
import { manualClock } from '../../shared/cache/support/manual-clock.ts';
import { connectTo, newProject } from './support/firestore-project.ts';

/** The emulator takes its time for the first calls, more so while other suites run. */
const DEADLINE_MS = 60_000;

tokenRegistryContract('Firestore', async () => {
  const project = newProject();
  const connection = connectTo(project);
  return {
    registry: firestoreTokenRegistry(connection, DEADLINE_MS),
    store: firestoreTokenStore(connection, DEADLINE_MS),
    another: () => firestoreTokenRegistry(connectTo(project), DEADLINE_MS),
    close: () => connection.close(),
  };
});

const project = newProject();
const connection = connectTo(project);
const registry = firestoreTokenRegistry(connection, DEADLINE_MS);
const store = firestoreTokenStore(connection, DEADLINE_MS);
afterAll(() => connection.close());

async function refusal(promise: Promise<unknown>): Promise<ServiceError> {
  const error = await promise.catch((thrown: unknown) => thrown);
  if (error instanceof ServiceError) return error;
  throw new Error('it went well, or failed in another way');
}

describe('a token in Firestore', () => {
  it('is a document under its digest, with times of Firestore', async () => {
    const token = makeToken('as a document', { expiresAtMs: 1_800_000_000_123 });
    await registry.add(token);
    const { database } = await connection.open();
    const document = await database.collection('lqe_tokens').doc(token.digest).get();
    expect(document.data()).toEqual({
      name: 'as a document',
      created: Timestamp.fromMillis(token.createdAtMs),
      expires: Timestamp.fromMillis(1_800_000_000_123),
      revoked: null,
      endpoints: null,
      projects: null,
      limits: { maxRows: null, maxBytesBilled: null, maxWindowSeconds: null, requestsPerMinute: null },
    });
  });

  it('is refused within 60 seconds after another process revoked it', async () => {
    const clock = manualClock();
    const cached = cachingTokenStore(store, { clock });
    const other = connectTo(project);
    const token = { ...makeToken('to be revoked'), digest: digestToken('to-be-revoked') };
    await registry.add(token);
    const ask = () => authenticate({ 'x-api-key': 'to-be-revoked' }, cached, clock.wallMs());
    await ask();
    await firestoreTokenRegistry(other, DEADLINE_MS).revoke(token.digest, clock.wallMs());
    await other.close();
    await clock.advance(59_939);
    expect((await ask()).name).toBe('to be revoked');
    await clock.advance(61);
    await expect(ask()).rejects.toThrow('was revoked');
  });

  it('is not written when it is larger than a document can be', async () => {
    const long = Array.from({ length: 1000 }, (_, index) => `${index}`.padEnd(1000, 'é'));
    const error = await refusal(registry.add(makeToken('large', { projects: long, endpoints: long })));
    expect(error.kind).toBe('unavailable');
    expect(error.message).toContain('give fewer or shorter endpoints and projects');
  });
});

describe('a malformed document', () => {
  const now = Timestamp.fromMillis(1_700_000_000_000);
  const valid = {
    name: 'malformed',
    created: now,
    expires: null,
    revoked: null,
    endpoints: null,
    projects: null,
    limits: { maxRows: null, maxBytesBilled: null, maxWindowSeconds: null, requestsPerMinute: null },
  };
  it.each<[string, object, string]>([
    ['with nothing in it', {}, 'name: '],
    ['without a name', { ...valid, name: '' }, 'name: '],
    ['with an escape in its name', { ...valid, name: '\u001b[2J' }, 'name: must be 1 to 100'],
    ['with a time as text', { ...valid, expires: '2099-01-01T00:00:00Z' }, 'expires: must be a timestamp'],
    ['with a time as a number', { ...valid, revoked: 0 }, 'revoked: must be a timestamp'],
    ['without a time of revocation', omit(valid, 'revoked'), 'revoked: '],
    ['with endpoints as text', { ...valid, endpoints: 'logs.all' }, 'endpoints: '],
    ['with no endpoints at all', { ...valid, endpoints: [] }, 'endpoints: '],
    ['without projects', omit(valid, 'projects'), 'projects: '],
    ['with a number among projects', { ...valid, projects: ['a', 1] }, 'projects.1: '],
    ['without limits', omit(valid, 'limits'), 'limits: '],
    ['with one limit only', { ...valid, limits: { maxRows: 1 } }, 'limits.maxBytesBilled: '],
    ['with a limit as text', { ...valid, limits: { ...valid.limits, maxRows: '1' } }, 'limits.maxRows: '],
    ['with a limit of nothing', { ...valid, limits: { ...valid.limits, maxRows: 0 } }, 'limits.maxRows: '],
    ['with another limit', { ...valid, limits: { ...valid.limits, maxCalls: 1 } }, '"maxCalls"'],
    ['with another field', { ...valid, 'paused\u001b[2J': true }, 'Unrecognized key: "paused?[2J"'],
  ])('%s is never accepted, and named to the operator', async (name, data, reason) => {
    const own = connectTo(newProject());
    const sound = makeToken('sound');
    const [ownRegistry, ownStore] = [
      firestoreTokenRegistry(own, DEADLINE_MS),
      firestoreTokenStore(own, DEADLINE_MS),
    ];
    await ownRegistry.add(sound);
    const digest = digestToken(name);
    await (await own.open()).database.collection('lqe_tokens').doc(digest).set(data);

    const error = await refusal(ownStore.find(digest));
    expect(error.code).toBe(503);
    expect(error.message).toBe('Access tokens cannot be checked at the moment; try again later.');
    expect(String(error.cause)).toContain(`The document lqe_tokens/${digest} is malformed`);
    expect(String(error.cause)).toContain(reason);
    expect(await ownStore.find(sound.digest)).toEqual(sound);
    expect(await ownRegistry.list()).toEqual({
      tokens: [sound],
      problems: [expect.stringContaining(reason)],
    });
    await own.close();
  });

  it('under an id that is no digest is named to the operator', async () => {
    const own = connectTo(newProject());
    await (await own.open()).database.collection('lqe_tokens').doc('studio').set(valid);
    const { tokens, problems } = await firestoreTokenRegistry(own, DEADLINE_MS).list();
    expect(tokens).toEqual([]);
    expect(problems).toEqual([
      'The document lqe_tokens/studio is malformed, so its token is refused: its id must be a SHA-256 digest: 64 hexadecimal digits.',
    ]);
    await own.close();
  });
});

function omit(data: object, field: string): object {
  return Object.fromEntries(Object.entries(data).filter(([name]) => name !== field));
}
