/**
 * Letters whose upper or lower case is more than one letter, or depends on its neighbours, as ranges of a regular
 * expression: GoogleSQL follows Unicode's full mapping, DuckDB maps letter by letter.
 */
export const SPECIAL_UPPER =
  '\u00df\u0149\u01f0\u0390\u03b0\u0587\u1e96-\u1e9a\u1f50\u1f52\u1f54\u1f56\u1f80-\u1faf\u1fb2-\u1fb4\u1fb6\u1fb7\u1fbc\u1fc2-\u1fc4\u1fc6\u1fc7\u1fcc\u1fd2\u1fd3\u1fd6\u1fd7\u1fe2-\u1fe4\u1fe6\u1fe7\u1ff2-\u1ff4\u1ff6\u1ff7\u1ffc\ufb00-\ufb06\ufb13-\ufb17';
export const SPECIAL_LOWER = '\u0130\u03a3';
