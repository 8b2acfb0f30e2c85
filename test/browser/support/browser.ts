import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { serviceUrl, TOKEN } from './service.ts';

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** How long the page may take to become what a test waits for, on a machine that has other work. */
const ACTION_TIMEOUT_MS = 60_000;

export interface OpenOptions extends BrowserContextOptions {
  /** Where the page is; the service's own address by default. */
  readonly url?: string;
  /** What follows `#`. */
  readonly question?: Readonly<Record<string, string>>;
  /** The token that the tab already has; null for none. */
  readonly token?: string | null;
  /** Answers that are errors on purpose: the browser writes each of them to its console. */
  readonly expects?: readonly number[];
}

/** One page of the explorer. */
export interface Opened {
  readonly page: Page;
  readonly context: BrowserContext;
}

/** Opens the explorer; answers once its page is there. */
export type Open = (options?: OpenOptions) => Promise<Opened>;

/**
 * A browser for the tests of one file. After each test its pages are closed, and none may have written an error to
 * the console, broken the page's policy or asked another server.
 */
export function useBrowser(): Open {
  const state: { browser?: Browser; folder?: string; contexts: BrowserContext[]; problems: string[] } = {
    contexts: [],
    problems: [],
  };

  beforeAll(async () => {
    state.folder = await mkdtemp(join(tmpdir(), 'chromium-'));
    state.browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ARGUMENTS,
      env: { ...process.env, HOME: state.folder },
    });
  });
  afterAll(async () => {
    await state.browser?.close();
    if (state.folder !== undefined) await rm(state.folder, { recursive: true, force: true, maxRetries: 5 });
  });
  afterEach(async () => {
    const { contexts, problems } = state;
    state.contexts = [];
    state.problems = [];
    for (const context of contexts) await context.close();
    expect(problems).toEqual([]);
  });

  return async ({ url = serviceUrl(), question = {}, token = TOKEN, expects = [], ...options } = {}) => {
    if (state.browser === undefined) throw new Error('the browser was not started');
    const context = await state.browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
    state.contexts.push(context);
    context.setDefaultTimeout(ACTION_TIMEOUT_MS);
    const page = await context.newPage();
    watch(page, url, expects, state.problems);
    if (token !== null) await page.addInitScript((text) => sessionStorage.setItem('lqe.token', text), token);
    await page.goto(`${url}#${new URLSearchParams(question)}`);
    return { page, context };
  };
}

function watch(page: Page, url: string, expects: readonly number[], problems: string[]): void {
  const isExpected = (text: string) => expects.some((code) => text.includes(`status of ${code} `));
  page.on('console', (message) => {
    const isTold = ['error', 'warning'].includes(message.type());
    if (isTold && !isExpected(message.text())) problems.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`page: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('blob:')) {
      problems.push(`request: ${request.url()}`);
    }
  });
}
