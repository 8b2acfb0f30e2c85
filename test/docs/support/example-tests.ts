import { type CodeBlock, codeBlocks, documentedCalls } from './code-blocks.ts';

/** A block of a page, with its neighbours. */
export interface Example extends CodeBlock {
  readonly page: string;
  readonly before: CodeBlock | null;
  readonly after: CodeBlock | null;
}

export function examplesOf(page: string): readonly Example[] {
  const blocks = codeBlocks(page);
  return blocks.map((block, index) => ({
    ...block,
    page,
    before: blocks[index - 1] ?? null,
    after: blocks[index + 1] ?? null,
  }));
}

/** A test of examples: which of them it runs, sends, compiles or reads. */
interface ExampleTest {
  readonly file: string;
  takes(example: Example): boolean;
}

const CLOUD_PAGES = ['docs/deploy.md', 'docs/operations.md'];
const ANSWERS = ['json', 'json shape', 'csv', 'text'];
const isLqe = (line: string) => /^(?:[A-Z_]+=\S* |source <\()*npx (?:--package \S+ )?lqe /.test(line);
/** Lines that change nothing about what is called: settings of the shell, folders, and comments. */
const isSetting = (line: string) => /^(?:export |mkdir -p |# |$)/.test(line);

/** The tests of examples. Each example is for the first test that takes it. */
export const EXAMPLE_TESTS: readonly ExampleTest[] = [
  {
    file: 'test/docs/examples.test.ts',
    takes: ({ page, line, info, before }) =>
      documentedCalls(page).some(({ name, answer }) => name === `line ${line}` || answer?.line === line) ||
      info === 'json line' ||
      (ANSWERS.includes(info) && before?.text.startsWith('curl ') === true),
  },
  { file: 'test/docs/queries.test.ts', takes: ({ info }) => /^(?:sql|lql)(?: refused)?$/.test(info) },
  {
    file: 'test/docs/cli.test.ts',
    takes: ({ page, info, before, after }) =>
      page === 'docs/cli.md' &&
      ((info === 'sh' && ANSWERS.includes(after?.info ?? '')) ||
        (ANSWERS.includes(info) && before?.info === 'sh')),
  },
  {
    file: 'test/docs/own-endpoints.test.ts',
    takes: ({ page, info }) =>
      page === 'docs/own-endpoints.md' && ['sql endpoint', 'json', 'text'].includes(info),
  },
  { file: 'test/docs/grafana.test.ts', takes: ({ info }) => info === 'json panel' },
  { file: 'test/docs/mcp.test.ts', takes: ({ page }) => page === 'docs/mcp.md' },
  {
    file: 'test/docs/writing-entries.test.ts',
    takes: ({ text }) => text.startsWith('{"message":"Logged!"') || text.startsWith('{"id":"8f14e45f"'),
  },
  {
    file: 'test/recipes/recipes.test.ts',
    takes: ({ page, info, text }) =>
      page === 'docs/getting-logs-in.md' &&
      (info === 'js' || text.startsWith('@version') || (info === 'sh' && text.includes('/api/logs?'))),
  },
  {
    file: 'test/recipes/supabase-analytics.test.ts',
    takes: ({ page, info }) => page === 'docs/supabase-analytics.md' && ['sh', 'yaml'].includes(info),
  },
  {
    file: 'test/docs/adding-a-function.test.ts',
    takes: ({ page, info }) => page === 'docs/adding-a-function.md' && info === 'ts',
  },
  { file: 'test/docs/generated-tables.test.ts', takes: ({ text }) => /^npm run scale -- --table/.test(text) },
  {
    file: 'test/package/client-package.test.ts',
    takes: ({ page }) => page === 'client/README.md',
  },
  { file: 'test/notebooks/notebooks.test.ts', takes: ({ page }) => page === 'docs/notebooks.md' },
  {
    file: 'test/terraform/deploy-page.test.ts',
    takes: ({ page, info }) => CLOUD_PAGES.includes(page) && ['sh', 'hcl'].includes(info),
  },
  { file: 'test/emulators/bigquery/logflare-views.test.ts', takes: ({ info }) => info === 'sql view' },
  // Reads the arguments of each command, and looks up each script of npm.
  {
    file: 'test/docs/pages.test.ts',
    takes: ({ info, text }) =>
      ['sh', 'text', ''].includes(info) &&
      text
        .trim()
        .replaceAll(/<<'END'\n[\s\S]*?^END$/gm, '')
        .split('\n')
        .every((line) => isLqe(line) || isSetting(line) || /^npm (?:ci|start|test|run|pack)\b/.test(line)),
  },
];

/** An example that no test takes, by its page and how it begins, and why. */
export const NOT_TESTED: readonly { readonly page: string; readonly begins: string; readonly why: string }[] =
  [
    {
      page: 'ARCHITECTURE.md',
      begins: 'functions/ ',
      why: 'a map, which pages.test.ts compares with the folders',
    },
    { page: 'ARCHITECTURE.md', begins: 'text ─lexer', why: 'a diagram' },
    { page: 'ARCHITECTURE.md', begins: 'append ─check', why: 'a diagram' },
    { page: 'docs/deploy.md', begins: 'caller ── load balancer', why: 'a diagram' },
    {
      page: 'docs/deploy.md',
      begins: 'permissions:',
      why: 'a workflow of GitHub Actions, which runs there alone',
    },
    { page: 'docs/deploy.md', begins: '{ "view"', why: 'a part of a file that bq writes and reads' },
    {
      page: 'docs/http-api.md',
      begins: '{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"This access token',
      why: 'an answer under load; test/shared/http/query/admission.test.ts has its words',
    },
    {
      page: 'docs/sandbox.md',
      begins: '{"error":{"code":429,',
      why: 'an answer of BigQuery; test/shared/warehouse/bigquery/billing has its words',
    },
    {
      page: 'docs/grafana.md',
      begins: 'apiVersion: 1',
      why: 'Grafana cannot be installed from the registries that CI has',
    },
    {
      page: 'docs/getting-logs-in.md',
      begins: '[sinks.logs]',
      why: 'Vector cannot be installed from the registries that CI has',
    },
    {
      page: 'docs/getting-logs-in.md',
      begins: '[OUTPUT]',
      why: 'Fluent Bit cannot be installed from the registries that CI has',
    },
    {
      page: 'docs/getting-logs-in.md',
      begins: 'exporters:',
      why: 'the OpenTelemetry Collector cannot be built from the registries that CI has',
    },
  ];
