import type { AccessToken } from '../../../shared/access/access-token.ts';
import type { Asked, Ledger } from '../service/ledger.ts';
import type { World } from '../world/world.ts';

/** Promised in docs/operations.md. */
export const REVOCATION_MS = 60_000;

/** Who comes more than 60 seconds after the token's revocation is refused. */
export function checkRevocation(
  world: World,
  { revokedAt }: Ledger,
  { token, arrivedMs, number }: Asked,
): void {
  const revokedMs = revokedAt.get(token);
  if (revokedMs === undefined || arrivedMs <= revokedMs + REVOCATION_MS) return;
  world.violate(
    'revocation',
    `request ${number} came ${(arrivedMs - revokedMs).toFixed(1)} ms after its token was revoked, and was let in`,
  );
}

type NamedToken = Pick<AccessToken, 'name' | 'digest'>;

/** What adding a token came to; null where it failed. */
export interface Adding {
  readonly token: NamedToken;
  readonly outcome: 'added' | 'name_taken' | null;
}

/** A name belongs to one token, and who is told that it is taken has not taken it. */
export function checkNames(world: World, stored: readonly NamedToken[], addings: readonly Adding[]): void {
  const names = stored.map(({ name }) => name);
  for (const name of new Set(names)) {
    const count = names.filter((one) => one === name).length;
    if (count > 1) world.violate('token names', `${count} tokens have the name ${name}`);
  }
  for (const { token, outcome } of addings) {
    const isStored = stored.some(({ digest }) => digest === token.digest);
    if (outcome === 'added' && !isStored)
      world.violate('token names', `${token.name} was added and is not there`);
    if (outcome === 'name_taken' && isStored) {
      world.violate(
        'token names',
        `who added ${token.name} was told that the name is taken, by that very token`,
      );
    }
  }
}
