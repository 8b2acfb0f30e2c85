import { hash } from 'node:crypto';
import type { AccessToken } from '../../access/access-token.ts';
import { authorize } from '../../access/authorize.ts';
import type { CachedAnswer } from '../../cache/answer.ts';
import type { AnswerRequest, CacheReply, Grow } from '../../cache/result-cache.ts';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import { invalidParameter } from '../../errors/service-error.ts';
import { makeRedactor } from '../../privacy/redactor.ts';
import { answerOf } from '../../results/answer-of.ts';
import { growRedacted } from '../../results/obtain-result.ts';
import { consumerDeadlineMs, type RunFor, rowCap } from '../../results/run-options.ts';
import type { MoreOptions } from '../../warehouse/warehouse.ts';
import type { AnswerOptions } from '../answer-options.ts';
import type { HttpDeps } from '../http-deps.ts';
import { CURSOR_TTL_MS, type Cursor, gone } from './cursor.ts';

/** The page that a request asks for by its cursor. */
export interface Page {
  readonly reply: CacheReply;
  readonly cursor: Cursor;
}

/** The pages of results behind the first. */
export interface Pages {
  /** The address of the rows behind an answer's; null where they end or nothing keeps them. */
  next(answer: CachedAnswer, wanted: NextPage): string | null;
  /** The page of a cursor, as `CursorCodec.open` and `Warehouse.more` say. */
  read(text: string, wanted: WantedPage): Promise<Page>;
}

/** Who wants a page, and how. */
export interface WantedPage {
  readonly endpoint: Endpoint;
  readonly token: AccessToken;
  /** Asked for with this page; a first page that was redacted has redacted pages behind it whatever this says. */
  readonly isRedacted: boolean;
  /** For whom it is read; its signal is aborted when the caller goes away. */
  readonly runFor: RunFor;
}

/** What the address of a next page hangs on. */
export interface NextPage {
  readonly path: string;
  readonly token: AccessToken;
  readonly options: AnswerOptions;
  readonly cursor: Omit<Cursor, 'rest' | 'expiresAtMs'>;
}

export function makePages(deps: HttpDeps): Pages {
  const { cursors, warehouse, deadlineMs, admission } = deps;

  return {
    next({ truncated, facts: { rest } }, { path, token, options, cursor }) {
      if (!truncated || typeof rest !== 'string') return null;
      const expiresAtMs = deps.wallClockMs() + CURSOR_TTL_MS;
      const text = cursors.seal({ ...cursor, rest, expiresAtMs }, token.digest);
      const format = options.format === 'json' ? '' : `&format=${options.format}`;
      return `${path}?cursor=${text}${format}${options.hasMeta ? '&meta=true' : ''}`;
    },

    async read(text, { endpoint, token, runFor, ...wanted }) {
      const opened = await cursors.open(text, token.digest, deps.wallClockMs());
      const cursor = {
        ...opened,
        isRedacted: opened.isRedacted || wanted.isRedacted || endpoint.redactPii,
        maxRows: rowCap(opened, token.limits.maxRows),
      };
      if (cursor.endpointId !== endpoint.id) throw ofAnotherEndpoint();
      if (warehouse.more === undefined) throw gone();
      authorize(token, cursor.project ?? undefined);
      // The warehouse hides paths while it runs the query: rows that it has kept cannot be redacted so afterwards.
      const hidden = hiddenPathsOf(endpoint, cursor.isRedacted);
      if (hidden !== '' && hidden !== opened.hiddenPaths) throw notHidden();
      const { rest, maxRows, isRedacted } = cursor;
      const redactor = isRedacted ? makeRedactor(endpoint.redactAlso) : null;
      const key = `page ${isRedacted} ${maxRows} ${rest}`;
      const page = ({ grow, ...options }: Omit<MoreOptions, 'maxRows'> & { readonly grow: Grow }) => {
        if (warehouse.more === undefined) throw gone();
        const held = redactor === null ? grow : growRedacted(grow);
        return answerOf(warehouse.more(rest, { maxRows, ...options, grow: held }), redactor);
      };
      // Through the cache for those who ask for one page at the same time; a page is never kept.
      const answer = (answerMs: number, compute: AnswerRequest['compute']) =>
        deps.cache.answer(key, {
          ttlSeconds: 0,
          refresh: false,
          recheckSeconds: null,
          signal: runFor.signal,
          deadlineMs: answerMs,
          compute,
        });
      const sqlDeadlineMs = consumerDeadlineMs(deps, runFor);
      const reply = cursor.isConsumers
        ? await admission.admit(runFor, key, (admitted) =>
            answer(sqlDeadlineMs, (signal, grow) =>
              admitted.run({ deadlineMs: sqlDeadlineMs, signal }, (turn) => page({ ...turn, signal, grow })),
            ),
          )
        : await answer(deadlineMs, async (signal, grow) => page({ deadlineMs, signal, grow }));
      return { reply, cursor };
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
