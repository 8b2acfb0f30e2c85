import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileTokenRegistry } from '../../../shared/access/file-token-registry.ts';
import { fileTokenStore } from '../../../shared/access/file-token-store.ts';
import { tokenRegistryContract } from './support/token-registry-contract.ts';

tokenRegistryContract('a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lqe-registry-'));
  const path = join(folder, 'tokens.json');
  // Each look comes a second after the one before, so that the store looks at the file.
  let nowMs = 0;
  return {
    registry: fileTokenRegistry(path),
    store: fileTokenStore(path, () => (nowMs += 1000)),
    another: () => fileTokenRegistry(path),
    close: () => rm(folder, { recursive: true }),
  };
});
