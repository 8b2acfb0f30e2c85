import { REFUSAL } from '../../not-supported.ts';

/** What a function in JavaScript answers where it may fail: a text whose first letter says of which kind it is. */
export type JavaScriptAnswer = `=${string}` | `!${string}` | `?${string}`;

/** The function's value. */
export const answered = (value: string): JavaScriptAnswer => `=${value}`;

/** An error of GoogleSQL. */
export const failed = (message: string): JavaScriptAnswer => `!${message}`;

/** What the engine does not compute, whatever GoogleSQL makes of it. */
export const refused = (what: string): JavaScriptAnswer => `?${REFUSAL}${what}`;
