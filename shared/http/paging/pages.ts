import { hash } from 'node:crypto';
import { authorize } from '../../access/authorize.ts';
import type { AnswerRequest, CacheReply, Grow } from '../../cache/result-cache.ts';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import { invalidParameter } from '../../errors/service-error.ts';
import { makeRedactor } from '../../privacy/redactor.ts';
import { answerOf } from '../../results/answer-of.ts';
import { growRedacted } from '../../results/obtain-result.ts';
import { consumerDeadlineMs, rowCap } from '../../results/run-options.ts';
import type { PageOptions } from '../../warehouse/warehouse.ts';
import type { HttpDeps } from '../http-deps.ts';
import type { QueryContext } from '../query/query-context.ts';
import { CURSOR_TTL_MS, type Cursor, cursorExpired } from './cursor.ts';

/** What a cursor holds besides the place in the result. */
export type PagedResult = Omit<Cursor, 'pageToken' | 'expiresAtMs'>;

/** The pages of results after the first. */
export interface Pages {
  /** The address of the rows that follow those of an answer; null where they end or are not stored. */
  next(page: CacheReply, context: QueryContext, result: PagedResult): string | null;
  /** The cursor of a request, as `CursorCodec.open` says, held to what the caller may read. */
  open(text: string, context: QueryContext): Promise<Cursor>;
  /** The page of such a cursor, as `Warehouse.nextPage` says. */
  read(cursor: Cursor, context: QueryContext): Promise<CacheReply>;
}

type PageDeps = Pick<
  HttpDeps,
  'cursors' | 'warehouse' | 'deadlineMs' | 'sqlDeadlineMs' | 'admission' | 'cache' | 'wallClockMs'
>;

/** Makes the reader of pages. */
export function makePages(deps: PageDeps): Pages {
  const { cursors, warehouse, deadlineMs, admission } = deps;

  return {
    next({ entry }, { exchange, token, options }, result) {
      const { truncated, pageToken } = entry.answer;
      if (!truncated || pageToken === undefined) return null;
      const expiresAtMs = deps.wallClockMs() + CURSOR_TTL_MS;
      const text = cursors.seal({ ...result, pageToken, expiresAtMs }, token.digest);
      const format = options.format === 'json' ? '' : `&format=${options.format}`;
      const timestamps = options.timestamps === 'us' ? '' : `&timestamps=${options.timestamps}`;
      return `${exchange.target.path}?cursor=${text}${format}${timestamps}${options.hasMeta ? '&meta=true' : ''}`;
    },

    async open(text, { endpoint, token, isRedacted }) {
      const opened = await cursors.open(text, token.digest, deps.wallClockMs());
      const cursor = {
        ...opened,
        isRedacted: opened.isRedacted || isRedacted,
        maxRows: rowCap(opened, token.limits.maxRows),
      };
      if (cursor.endpointId !== endpoint.id) throw ofAnotherEndpoint();
      if (warehouse.nextPage === undefined) throw cursorExpired();
      authorize(token, endpoint.projectParameter, cursor.project ?? undefined);
      // The warehouse hides paths while it runs the query: rows that it has kept cannot be redacted so afterwards.
      const hidden = hiddenPathsOf(endpoint, cursor.isRedacted);
      if (hidden !== '' && hidden !== opened.hiddenPaths) throw notHidden();
      return cursor;
    },

    async read({ pageToken, maxRows, isRedacted, isConsumers }, { endpoint, caller }) {
      const redactor = isRedacted ? makeRedactor(endpoint.redactAlso) : null;
      const key = `page ${isRedacted} ${maxRows} ${JSON.stringify(pageToken)}`;
      const page = ({ grow, ...options }: Omit<PageOptions, 'maxRows'> & { readonly grow: Grow }) => {
        if (warehouse.nextPage === undefined) throw cursorExpired();
        const held = redactor === null ? grow : growRedacted(grow);
        return answerOf(warehouse.nextPage(pageToken, { maxRows, ...options, grow: held }), redactor);
      };
      // Through the cache for those who ask for one page at the same time; a page is never kept.
      const answer = (answerMs: number, compute: AnswerRequest['compute']) =>
        deps.cache.answer(key, {
          ttlSeconds: 0,
          refresh: false,
          recheckSeconds: null,
          signal: caller.signal,
          deadlineMs: answerMs,
          compute,
        });
      if (!isConsumers) return answer(deadlineMs, async (signal, grow) => page({ deadlineMs, signal, grow }));
      const sqlDeadlineMs = consumerDeadlineMs(deps, caller);
      return admission.admit(caller, key, (admitted) =>
        answer(sqlDeadlineMs, (signal, grow) =>
          admitted.run({ deadlineMs: sqlDeadlineMs, signal }, (turn) => page({ ...turn, signal, grow })),
        ),
      );
    },
  };
}

/** A digest of the paths whose values a query of an endpoint hides; empty where it hides none. */
export function hiddenPathsOf({ redactPaths }: Pick<Endpoint, 'redactPaths'>, isRedacted: boolean): string {
  if (!isRedacted || redactPaths.length === 0) return '';
  return hash('sha256', JSON.stringify([...redactPaths].sort()), 'base64url');
}

function notHidden(): Error {
  return invalidParameter(
    'cursor',
    "Parameter 'cursor' goes on with a result that is not redacted as this page has to be; run the query again, redacted.",
  );
}

function ofAnotherEndpoint(): Error {
  return invalidParameter(
    'cursor',
    "Parameter 'cursor' goes on with a result of another endpoint; call the address that the header Link has, as it is.",
  );
}
