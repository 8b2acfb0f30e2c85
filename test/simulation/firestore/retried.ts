import { CODES } from './documents.ts';

/** The codes after which Google's client makes a call again (firestore_client_config.json, and write-batch.js for ABORTED). */
export const READ_RETRIED = [CODES.DEADLINE_EXCEEDED, CODES.UNAVAILABLE];
export const COMMIT_RETRIED = [CODES.UNAVAILABLE];
export const BATCH_RETRIED = [CODES.UNAVAILABLE, CODES.ABORTED];
