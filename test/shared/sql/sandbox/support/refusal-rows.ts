/** Queries that must be refused: what each tries, its text, and what the message says. */
export type Rows = readonly (readonly [why: string, sql: string, message: string])[];
