import { type FirestoreConnection, firestoreConnection } from '../firestore/firestore-connection.ts';
import type { Config } from './config.ts';

/** The connections to Firestore; null for what is kept elsewhere. */
export interface OpenFirestore {
  readonly results: FirestoreConnection | null;
  readonly tokens: FirestoreConnection | null;
  /** Frees the connections. Never throws. */
  close(): Promise<void>;
}

/** One connection for each database: results and access tokens share theirs where they share a database. */
export function openFirestore(config: Config): OpenFirestore {
  const { cache, tokenStore, googleProject, firestoreDatabase, tokenDatabase } = config;
  const checkCredentials = config.firestoreEmulatorHost === null;
  const connections = new Map<string, FirestoreConnection>();
  const connect = (isUsed: boolean, database: string): FirestoreConnection | null => {
    if (!isUsed || googleProject === null) return null;
    const connection =
      connections.get(database) ?? firestoreConnection({ googleProject, database }, { checkCredentials });
    connections.set(database, connection);
    return connection;
  };
  return {
    results: connect(cache === 'firestore', firestoreDatabase),
    tokens: connect(tokenStore === 'firestore', tokenDatabase),
    async close() {
      await Promise.all([...connections.values()].map((connection) => connection.close()));
    },
  };
}
