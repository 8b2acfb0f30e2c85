/** The form of a source's name, which is also that of its table. */
export const SOURCE_NAME = /^[a-z_][a-z0-9_]{0,99}$/;
