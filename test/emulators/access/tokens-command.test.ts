import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { digestToken } from '../../../shared/access/access-token.ts';
import { authenticate } from '../../../shared/access/authenticate.ts';
import { firestoreTokenStore } from '../../../shared/access/firestore/firestore-token-store.ts';
import { type Ended, runLqe } from '../../cli/support/run-lqe.ts';
import { connectTo, newProject } from './support/firestore-project.ts';

const DEADLINE_MS = 60_000;
const project = newProject();
const connection = connectTo(project);
const store = firestoreTokenStore(connection, DEADLINE_MS);
let cwd: string;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'lqe-tokens-command-'));
});
afterAll(async () => {
  await connection.close();
  await rm(cwd, { recursive: true });
});

/** The command as its own process, which finds the store in its environment. */
function lqeTokens(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const { FIRESTORE_EMULATOR_HOST = '' } = process.env;
  const given = {
    FIRESTORE_EMULATOR_HOST,
    METADATA_SERVER_DETECTION: 'none',
    LQE_TOKEN_STORE: 'firestore',
    LQE_GOOGLE_PROJECT: project,
    ...env,
  };
  return runLqe(['tokens', ...argv], { cwd, env: given }).ended;
}

describe('lqe tokens with Firestore', () => {
  it('issues a token that a service finds, until it is revoked', async () => {
    const issued = await lqeTokens(['issue', '--name', 'studio', '--project', 'blog', '--max-window', '7d']);
    expect(issued).toMatchObject({ code: 0, stdout: expect.stringMatching(/^lqe_[A-Za-z0-9_-]{43}\n$/) });
    const token = issued.stdout.trim();
    const found = await authenticate({ authorization: `Bearer ${token}` }, store, Date.now());
    expect(found).toMatchObject({
      name: 'studio',
      projects: ['blog'],
      limits: { maxWindowSeconds: 604_800 },
    });

    const shown = await lqeTokens(['show', 'studio', '--json']);
    expect(JSON.parse(shown.stdout)).toMatchObject({ digest: digestToken(token), state: 'active' });
    expect(shown.stdout + issued.stderr).not.toContain(token);

    const revoked = await lqeTokens(['revoke', digestToken(token).slice(0, 12)]);
    expect(revoked).toMatchObject({
      code: 0,
      stdout: 'Revoked the token "studio"; running services refuse it within 60 seconds.\n',
      stderr: '',
    });
    await expect(authenticate({ 'x-api-key': token }, store, Date.now())).rejects.toThrow('was revoked');
    expect((await lqeTokens(['list'])).stdout).toMatch(/^studio +[0-9a-f]{12} +revoked .* window=604800$/m);
    expect(await readdir(cwd)).toEqual([]);
  });

  it('gives a name to one of several processes that want it at the same time', async () => {
    const ended = await Promise.all([1, 2, 3].map(() => lqeTokens(['issue', '--name', 'wanted'])));
    expect(ended.map(({ code }) => code).sort()).toEqual([0, 2, 2]);
    for (const { stderr } of ended.filter(({ code }) => code === 2)) {
      expect(stderr).toContain('There is a token named "wanted" already');
    }
    const listed = await lqeTokens(['list', '--json']);
    const names = (JSON.parse(listed.stdout) as { name: string }[]).map(({ name }) => name);
    expect(names.filter((name) => name === 'wanted')).toHaveLength(1);
  });

  it('takes the store from its options', async () => {
    const env = { LQE_TOKEN_STORE: '', LQE_GOOGLE_PROJECT: '' };
    const options = ['--store', 'firestore', '--google-project', newProject(), '--token-database', 'tokens'];
    const { code, stderr } = await lqeTokens(['list', ...options], env);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^There are no tokens in the Firestore database "tokens" of the project "demo-\w+"\.\n$/,
    );
  });

  it('names a malformed document, and works with the others', async () => {
    const id = digestToken('malformed');
    await (await connection.open()).database.collection('lqe_tokens').doc(id).set({ name: 'half' });
    const { code, stdout, stderr } = await lqeTokens(['show', 'studio']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^name +studio$/m);
    expect(stderr).toBe(
      `The document lqe_tokens/${id} is malformed, so its token is refused: created: must be a timestamp.\n`,
    );
    expect((await lqeTokens(['show', id])).code).toBe(1);
  });

  it('says how to log in where there are no Google credentials', async () => {
    const { code, stderr } = await lqeTokens(['list'], { FIRESTORE_EMULATOR_HOST: '', HOME: cwd });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /cannot be used: there are no valid Google credentials on this machine; log in with [^\n]+\.\n$/,
    );
  });

  it('ends with one line and exit code 1 when nothing answers', async () => {
    const { code, stdout, stderr } = await lqeTokens(['issue', '--name', 'lost'], {
      FIRESTORE_EMULATOR_HOST: '127.0.0.1:1',
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^The Firestore database "\(default\)" of the project "demo-\w+" cannot be used: [^\n]+\.\n$/,
    );
  });
});
