/** A part of the service that is made when it is first needed. */
export interface Lazy<T> {
  (): Promise<T>;
  /** The part, where somebody has needed it. */
  made(): Promise<T> | undefined;
}

/**
 * A part of the service that is made when it is first needed, and once: a process that starts does not wait for what its
 * first answers may not want. One that could not be made is tried again by the next who needs it.
 */
export function lazy<T>(make: () => Promise<T>): Lazy<T> {
  let part: Promise<T> | undefined;
  const get = () => {
    part ??= make().catch((error: unknown) => {
      part = undefined;
      throw error;
    });
    return part;
  };
  return Object.assign(get, { made: () => part });
}
