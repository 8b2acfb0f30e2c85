import { randomBytes } from 'node:crypto';
import {
  type FirestoreConnection,
  firestoreConnection,
} from '../../../../shared/firestore/firestore-connection.ts';

/** The id of a project that no one else uses; the emulator keeps each one's documents apart. */
export function newProject(): string {
  return `demo-${randomBytes(8).toString('hex')}`;
}

export function connectTo(googleProject: string): FirestoreConnection {
  return firestoreConnection({ googleProject, database: '(default)' });
}
