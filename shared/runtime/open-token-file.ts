import { fileTokenStore } from '../access/file-token-store.ts';
import { readTokenFile } from '../access/token-file.ts';
import type { TokenStore } from '../access/token-store.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { ServiceError } from '../errors/service-error.ts';

/** The tokens of a file, which is read once to see that it can be. Throws a ConfigurationError where it cannot. */
export async function openTokenFile(path: string): Promise<TokenStore> {
  try {
    await readTokenFile(path);
  } catch (error) {
    if (error instanceof ServiceError) throw new ConfigurationError(error.message);
    throw error;
  }
  return fileTokenStore(path, Date.now);
}
