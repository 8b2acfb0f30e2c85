/** Whether the operating system refused something, and why: EACCES, ENOENT and the like. */
export function isSystemError(error: unknown): error is { readonly code: string } {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code);
}
