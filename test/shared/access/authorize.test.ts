import { describe, expect, test } from '@jest/globals';
import type { AccessToken } from '../../../shared/access/access-token.ts';
import {
  authorize,
  authorizeRight,
  authorizeSource,
  isEndpointAllowed,
} from '../../../shared/access/authorize.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import { tokenRecord } from './support/token-record.ts';

const ENDPOINT = { id: '6a1f6a5c-1c9b-4d69-a6c1-000000000001', name: 'logs.all' };
type Limits = Pick<AccessToken, 'endpoints' | 'projects'>;

describe('isEndpointAllowed', () => {
  test.each<[string, Limits['endpoints'], boolean]>([
    ['no limits', null, true],
    ['the name', ['usage.api-counts', 'logs.all'], true],
    ['the id', [ENDPOINT.id], true],
    ['another endpoint', ['usage.api-counts'], false],
    ['a part of the name', ['logs'], false],
    ['the name in another case', ['LOGS.ALL'], false],
    ['a pattern', ['.*', '*'], false],
    ['no endpoint at all', [], false],
  ])('decides by %s', (_, endpoints, isAllowed) => {
    expect(isEndpointAllowed({ endpoints }, ENDPOINT)).toBe(isAllowed);
  });
});

describe('the right to write', () => {
  const reader = tokenRecord('studio');
  const writer = tokenRecord('vector', { writes: ['edge_logs', 'auth_logs'] });

  test('is apart from the right to read', () => {
    expect(() => authorizeRight(reader, 'read')).not.toThrow();
    expect(() => authorizeRight(writer, 'write')).not.toThrow();
    expect(() => authorizeRight(writer, 'read')).toThrow('may only write logs');
    expect(() => authorizeRight(reader, 'write')).toThrow('may not write logs');
    expect(() => authorizeRight(tokenRecord('x', { writes: [] }), 'read')).toThrow('may only write logs');
  });

  test('holds for the sources of the token', () => {
    expect(() => authorizeSource(writer, 'auth_logs', false)).not.toThrow();
    expect(() => authorizeSource(writer, 'storage_logs', true)).toThrow('to "edge_logs", "auth_logs" only');
    expect(() => authorizeSource(reader, 'edge_logs', true)).toThrow('may not write logs');
  });

  test('of a token that is limited to projects holds for sources whose entries have one', () => {
    const limited = tokenRecord('vector', { writes: ['edge_logs'], projects: ['p'] });
    expect(() => authorizeSource(limited, 'edge_logs', true)).not.toThrow();
    expect(() => authorizeSource(limited, 'edge_logs', false)).toThrow('entries of this source have none');
  });
});

describe('authorize', () => {
  test.each<[string, Partial<Limits>, string | undefined]>([
    ['no limits', {}, 'blog'],
    ['no limits and no project', {}, undefined],
    ['the project', { projects: ['shop', 'blog'] }, 'blog'],
  ])('allows with %s', (_, limits, project) => {
    expect(() => authorize(tokenRecord('studio', limits), 'project', project)).not.toThrow();
  });

  test.each<[string, Partial<Limits>, string | undefined, RegExp]>([
    [
      'another project',
      { projects: ['shop', 'web'] },
      'blog',
      /set "project" to exactly one of "shop", "web"/,
    ],
    ['no project in the request', { projects: ['blog'] }, undefined, /limited to projects/],
    ['an empty project', { projects: ['blog'] }, '', /limited to projects/],
    ['a pattern that matches the project', { projects: ['blog'] }, '.*', /limited to projects/],
    ['an alternative to the project', { projects: ['blog'] }, 'blog|shop', /limited to projects/],
    ['the project in another case', { projects: ['blog'] }, 'Blog', /limited to projects/],
    ['the project with a space', { projects: ['blog'] }, 'blog ', /limited to projects/],
    ['no project at all', { projects: [] }, 'blog', /one of \(none\)/],
  ])('answers 403 to %s', (_, limits, project, message) => {
    let thrown: unknown;
    try {
      authorize(tokenRecord('studio', limits), 'project', project);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(ServiceError);
    expect((thrown as ServiceError).kind).toBe('permission_denied');
    expect((thrown as ServiceError).message).toMatch(message);
  });

  test('names the parameter that is the project', () => {
    const limited = tokenRecord('studio', { projects: ['blog'] });
    expect(() => authorize(limited, 'tenant', 'shop')).toThrow(/set "tenant" to exactly one of "blog"/);
    expect(() => authorize(limited, 'tenant', 'blog')).not.toThrow();
  });

  test('keeps a limited token from an endpoint that reads all projects', () => {
    expect(() => authorize(tokenRecord('studio', { projects: ['blog'] }), null, undefined)).toThrow(
      /limited to projects/,
    );
    expect(() => authorize(tokenRecord('studio', {}), null, undefined)).not.toThrow();
  });

  test('lists no more than twenty of what the token may use', () => {
    const projects = Array.from({ length: 25 }, (_, index) => `p${index}`);
    expect(() => authorize(tokenRecord('studio', { projects }), 'project', 'blog')).toThrow(
      /"p19" and 5 more\.$/,
    );
  });
});
