import { duck } from '../duck/sql.ts';
import { argument, type CallTranslator } from './call-site.ts';
import { refuseWhere, textSql, withLocals } from './fragments.ts';
import { MAX_SPLIT_SIZE } from './sizes.ts';

/** White space of Unicode, and punctuation. */
const DELIMITERS =
  ' \t\n\v\f\r\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000' +
  '[](){}/|\\<>!?@"^#$&~_,.:;*%+-';

/** INITCAP: the first letter after a delimiter is upper case, all others are lower case. */
export const initcap: CallTranslator = (site) =>
  withLocals([argument(site, 0), site.sql[1] ?? textSql(DELIMITERS)], (text, marks) =>
    refuseWhere(
      duck`strlen(${text}) > ${MAX_SPLIT_SIZE} OR strlen(${marks}) > ${MAX_SPLIT_SIZE}`,
      `INITCAP takes at most ${MAX_SPLIT_SIZE} bytes of text`,
      site.type,
      duck`gsql_initcap(${text}, ${marks})`,
    ),
  );
