import { duck } from '../duck/sql.ts';
import { argument, type CallTranslator } from './call-site.ts';
import { refuseWhere, textSql, withLocals } from './fragments.ts';
import { MAX_SPLIT_SIZE } from './sizes.ts';

const DELIMITERS = ' \t\n\v\f\r[](){}/|\\<>!?@"^#$&~_,.:;*%+-';

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
