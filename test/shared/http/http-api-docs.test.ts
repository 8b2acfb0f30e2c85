import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { loadEndpoints } from '../../../shared/endpoints/load-endpoints.ts';
import { ERROR_KINDS } from '../../../shared/errors/service-error.ts';
import { HTTP_LIMITS } from '../../../shared/http/http-limits.ts';
import { REQUEST_HEADERS } from '../../../shared/http/request/request-headers.ts';
import { ANSWER_HEADERS } from '../../../shared/http/response/answer-headers.ts';
import { SEND_LIMITS } from '../../../shared/http/response/reply.ts';
import { SERVER_LIMITS } from '../../../shared/http/server/server-limits.ts';

const page = readFileSync('docs/http-api.md', 'utf8');
const endpoints = await loadEndpoints('queries');
/** The page describes those that come with the program. */
const described = endpoints.all.filter(({ name }) => page.includes(`\n### ${name}\n`));

/** The part of the page under a heading. */
function section(heading: string): string {
  const level = heading.replace(/[^#].*/, '');
  const from = page.indexOf(`\n${heading}\n`);
  const rest = page.slice(from + heading.length + 2);
  const next = rest.search(new RegExp(`^#{1,${level.length}} `, 'm'));
  return next < 0 ? rest : rest.slice(0, next);
}

/** The rows of the tables in a text, each as its cells. */
function rows(text: string): string[][] {
  return [...text.matchAll(/^\| (.*) \|$/gm)].map(([, cells = '']) =>
    cells.split(' | ').map((cell) => cell.trim()),
  );
}

describe('docs/http-api.md', () => {
  test('lists the error codes that the service has, and no others', () => {
    const listed = rows(section('## Errors')).filter(([code]) => /^\d/.test(code ?? ''));
    const kinds = Object.values(ERROR_KINDS).map(({ code, status, when }) => [
      `${code}`,
      `\`${status}\``,
      when,
    ]);
    expect(listed.sort()).toEqual(kinds.sort());
  });

  test.each([
    ['## Request headers', REQUEST_HEADERS],
    ['## Answers', ANSWER_HEADERS],
  ])('lists under "%s" the headers that there are, and no others', (heading, headers) => {
    const table = section(heading).split('| header |')[1]?.split('\n\n')[0] ?? '';
    const listed = rows(table).flatMap(([names = '']) =>
      [...names.matchAll(/`([\w-]+)`/g)].map(([, name]) => name),
    );
    expect(listed.sort()).toEqual(Object.keys(headers).sort());
  });

  test('lists the existing endpoints, with id and most rows', () => {
    const table = rows(section('## Endpoints').split('###')[0] ?? '');
    const [names, ids, mostRows] = [
      table[0],
      table.find(([name]) => name === 'id'),
      table.find(([name]) => name === 'most rows'),
    ];
    expect(names?.slice(1).sort()).toEqual(described.map(({ name }) => `\`${name}\``).sort());
    for (const endpoint of described) {
      const column = names?.indexOf(`\`${endpoint.name}\``) ?? -1;
      expect(ids?.[column]).toBe(`\`${endpoint.id}\``);
      expect(mostRows?.[column]).toBe(String(endpoint.maxRows));
    }
  });

  test.each(described.map((endpoint) => [endpoint.name, endpoint] as const))(
    'lists the parameters of %s',
    (name, endpoint) => {
      const listed = rows(section(`### ${name}`)).filter(([cell]) => cell?.startsWith('`'));
      expect(listed.map(([parameter, , required]) => [parameter, required])).toEqual(
        endpoint.parameters.map((spec) => [`\`${spec.name}\``, spec.required ? 'required' : 'optional']),
      );
      for (const [index, { allowed, maxLength, type }] of endpoint.parameters.entries()) {
        const accepts = listed[index]?.[1];
        if (allowed !== null) for (const value of allowed) expect(accepts).toContain(`\`${value}\``);
        else if (type === 'STRING') expect(accepts).toContain(`at most ${maxLength} characters`);
      }
    },
  );

  test('gives the limits that hold', () => {
    const limits = new Map(rows(section('## Limits')).map(([what, most]) => [what, most]));
    expect(limits.get('URL')).toBe(`${HTTP_LIMITS.maxUrlBytes.toLocaleString('en')} bytes`);
    expect(limits.get('Body')).toBe(`${HTTP_LIMITS.maxBodyBytes.toLocaleString('en')} bytes`);
    expect(limits.get('Time for the body to arrive')).toBe(`${HTTP_LIMITS.bodyTimeoutMs / 1000} s`);
    const { headersTimeoutMs, requestTimeoutMs, maxConnections } = SERVER_LIMITS;
    expect(limits.get('Time for the headers to arrive')).toBe(`${headersTimeoutMs / 1000} s`);
    expect(limits.get('Time for a whole request to arrive')).toBe(`${requestTimeoutMs / 1000} s`);
    expect(limits.get('Connections of a process')).toBe(maxConnections.toLocaleString('en'));
    expect(limits.get('Time for an answer to be read')).toBe(
      `${SEND_LIMITS.sendTimeoutMs / 1000} s, and ${SEND_LIMITS.sendMsPerMib / 1000} s for each MiB`,
    );
  });
});
