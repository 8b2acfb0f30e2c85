import { fileTokenRegistry } from '../../shared/access/file-token-registry.ts';
import type { TokenRegistry } from '../../shared/access/token-registry.ts';
import type { FirestoreConnection } from '../../shared/firestore/firestore-connection.ts';
import type { Config, Environment } from '../../shared/runtime/config.ts';

/** What keeps tokens and results, opened when it is looked at. */
export interface Stores {
  tokens(): Promise<TokenRegistry>;
  results(): Promise<FirestoreConnection>;
}

/** Each has its own connection, so that each can be closed when it was looked at. */
export function openStores(config: Config, env: Environment): Stores {
  const { googleProject, firestoreDatabase, tokenDatabase, tokenStore, tokensFile } = config;
  const checkCredentials = !env.FIRESTORE_EMULATOR_HOST;
  const connect = async (database: string): Promise<FirestoreConnection> => {
    if (googleProject === null) throw new TypeError('the configuration was not checked');
    const { firestoreConnection } = await import('../../shared/firestore/firestore-connection.ts');
    return firestoreConnection({ googleProject, database }, { checkCredentials });
  };
  return {
    tokens: async () => {
      if (tokenStore === 'file') return fileTokenRegistry(tokensFile);
      const { firestoreTokenRegistry } = await import(
        '../../shared/access/firestore/firestore-token-registry.ts'
      );
      return firestoreTokenRegistry(await connect(tokenDatabase));
    },
    results: () => connect(firestoreDatabase),
  };
}
