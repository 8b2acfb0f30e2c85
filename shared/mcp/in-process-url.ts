/** A base URL for requests that never leave the process. */
export const IN_PROCESS_URL = 'http://in-process.invalid/';
