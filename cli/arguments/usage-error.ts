/** The command was used wrongly. The message is one sentence that says what to change. */
export class UsageError extends Error {}
