/** The code that Node gives to a failed system call, such as ENOENT; undefined for what is no such failure. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
