import { fileTokenRegistry } from '../../shared/access/file-token-registry.ts';
import { firestoreTokenRegistry } from '../../shared/access/firestore/firestore-token-registry.ts';
import type { TokenRegistry } from '../../shared/access/token-registry.ts';
import { firestoreConnection } from '../../shared/firestore/firestore-connection.ts';
import type { StoreChoice } from './store-choice.ts';

/** A store of tokens with what the command line says of it. */
export interface OpenRegistry {
  readonly registry: TokenRegistry;
  /** Where the tokens are, in words that follow "in". */
  readonly place: string;
  /** When a running service heeds a change, in words that end a sentence. */
  readonly holds: string;
}

/** Opens the chosen store; nothing is read or connected to before the first use. */
export function openRegistry(
  choice: StoreChoice,
  tokensFile: string,
  env: Readonly<Record<string, string | undefined>>,
): OpenRegistry {
  switch (choice.store) {
    case 'file':
      return {
        registry: fileTokenRegistry(tokensFile),
        place: tokensFile,
        holds: 'within a second',
      };
    case 'firestore': {
      const { googleProject, database } = choice;
      const checkCredentials = !env.FIRESTORE_EMULATOR_HOST;
      const connection = firestoreConnection({ googleProject, database }, { checkCredentials });
      return {
        registry: firestoreTokenRegistry(connection),
        place: `the Firestore database "${database}" of the project "${googleProject}"`,
        holds: 'within 60 seconds',
      };
    }
    default: {
      const unreachable: never = choice;
      throw new TypeError(`store ${JSON.stringify(unreachable)}`);
    }
  }
}
