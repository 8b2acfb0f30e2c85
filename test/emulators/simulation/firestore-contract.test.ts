import { afterAll } from '@jest/globals';
import { firestoreConnection } from '../../../shared/firestore/firestore-connection.ts';
import { databaseContract } from '../../simulation/firestore/database-contract.ts';

const connections = [1, 2].map(() =>
  firestoreConnection({ googleProject: 'simulation-contract', database: '(default)' }),
);
afterAll(() => Promise.all(connections.map((connection) => connection.close())));

databaseContract('Google’s emulator', async () => {
  const [one, other] = await Promise.all(connections.map((connection) => connection.open()));
  return { one: one!, other: other! };
});
