/**
 * A part of the service that is made when it is first needed, and once: a process that starts does not wait for what its
 * first answers may not want. One that could not be made is tried again by the next who needs it.
 */
export function onFirstUse<T>(make: () => Promise<T>): () => Promise<T> {
  const made: { part?: Promise<T> } = {};
  return () => {
    made.part ??= make().catch((error: unknown) => {
      delete made.part;
      throw error;
    });
    return made.part;
  };
}
