import { describe, expect, test } from '@jest/globals';
import type { AccessToken } from '../../../shared/access/access-token.ts';
import { authorize } from '../../../shared/access/authorize.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import { tokenRecord } from './support/token-record.ts';

const ENDPOINT = { id: '6a1f6a5c-1c9b-4d69-a6c1-000000000001', name: 'logs.all' };
type Limits = Pick<AccessToken, 'endpoints' | 'projects'>;

describe('authorize', () => {
  test.each<[string, Partial<Limits>, string | undefined]>([
    ['no limits', {}, 'blog'],
    ['no limits and no project', {}, undefined],
    ['the endpoint by name', { endpoints: ['usage.api-counts', 'logs.all'] }, 'blog'],
    ['the endpoint by id', { endpoints: [ENDPOINT.id] }, undefined],
    ['the project', { projects: ['shop', 'blog'] }, 'blog'],
    ['endpoint and project', { endpoints: ['logs.all'], projects: ['blog'] }, 'blog'],
  ])('allows with %s', (_, limits, project) => {
    expect(() => authorize(tokenRecord('studio', limits), ENDPOINT, project)).not.toThrow();
  });

  test.each<[string, Partial<Limits>, string | undefined, RegExp]>([
    [
      'another endpoint',
      { endpoints: ['usage.api-counts'] },
      'blog',
      /the endpoint "logs.all"; .* "usage.api-counts"/,
    ],
    ['a part of the name', { endpoints: ['logs'] }, 'blog', /may not use the endpoint/],
    ['the name in another case', { endpoints: ['LOGS.ALL'] }, 'blog', /may not use the endpoint/],
    ['a pattern for endpoints', { endpoints: ['.*', '*'] }, 'blog', /may not use the endpoint/],
    ['no endpoint at all', { endpoints: [] }, 'blog', /the endpoints \(none\)/],
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
    ['the right project at another endpoint', { endpoints: ['x'], projects: ['blog'] }, 'blog', /endpoint/],
    ['no project at all', { projects: [] }, 'blog', /one of \(none\)/],
  ])('answers 403 to %s', (_, limits, project, message) => {
    let thrown: unknown;
    try {
      authorize(tokenRecord('studio', limits), ENDPOINT, project);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(ServiceError);
    expect((thrown as ServiceError).kind).toBe('permission_denied');
    expect((thrown as ServiceError).message).toMatch(message);
  });

  test('lists no more than twenty of what the token may use', () => {
    const projects = Array.from({ length: 25 }, (_, index) => `p${index}`);
    expect(() => authorize(tokenRecord('studio', { projects }), ENDPOINT, 'blog')).toThrow(
      /"p19" and 5 more\.$/,
    );
  });
});
