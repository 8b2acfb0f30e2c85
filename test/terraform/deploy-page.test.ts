import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { TOKENS_HELP } from '../../cli/tokens/help.ts';
import { codeBlocks } from '../docs/support/code-blocks.ts';
import { gcloudProblems, gcloudTree } from './support/gcloud-tree.ts';
import { shellCommands } from './support/shell-commands.ts';
import { applied, GIVEN, type Outcome, type Resource, terraformTest } from './support/terraform-test.ts';

const PAGE = 'docs/deploy.md';
const page = readFileSync(PAGE, 'utf8');
/** Alerts have their commands on their own page, which goes on where this one ends. */
const PAGES = [PAGE, 'docs/operations.md'];
const commands = PAGES.flatMap(shellCommands);
const starting = (program: string) => commands.filter(({ words }) => words[0] === program);
const read = (path: string) => readFileSync(path, 'utf8');
const variables = [...read('terraform/variables.tf').matchAll(/^variable "(\w+)"/gm)].map(([, name]) => name);

/** The settings blocks of the page, each with what it leaves out. */
const settings = PAGES.flatMap(codeBlocks)
  .filter(({ info }) => info === 'hcl')
  .map(({ text }) => {
    const own = [...text.matchAll(/^(\w+) /gm)].map(([, name]) => name);
    const others = GIVEN.split('\n').filter((line) => !own.includes(line.trim().split(' ')[0]));
    return `${others.join('\n')}\n${text}`;
  });

let resources: readonly Resource[];
let outcomes: ReadonlyMap<string, Outcome>;
beforeAll(async () => {
  outcomes = await terraformTest({
    all: applied(`${GIVEN}\n  budget = { billing_account = "012345-6789AB-CDEF01", monthly_amount = 1 }`),
    ...Object.fromEntries(settings.map((text, index) => [`settings_${index}`, applied(text)])),
  });
  resources = outcomes.get('all')?.resources ?? [];
});

describe('the commands in docs/deploy.md and docs/operations.md', () => {
  test('are of programs that are looked at here', () => {
    const KNOWN = [
      'bq',
      'curl',
      'date',
      'echo',
      'eval',
      'export',
      'gcloud',
      'git',
      'npm',
      'npx',
      'openssl',
      'terraform',
    ];
    const others = commands.filter(
      ({ words, text }) => !KNOWN.includes(words[0] ?? '') && !/^[A-Z_]+=/.test(text),
    );
    expect(others).toEqual([]);
    expect(starting('gcloud').length).toBeGreaterThan(20);
    expect(starting('terraform').length).toBeGreaterThan(10);
  });

  test('are commands and flags that gcloud has', () => {
    const tree = gcloudTree();
    expect(
      starting('gcloud').flatMap(({ text, words }) =>
        gcloudProblems(tree, words).map((problem) => [text, problem]),
      ),
    ).toEqual([]);
  });

  test('are commands and flags that Terraform has', () => {
    for (const { words } of starting('terraform')) {
      const [, folder, command = '', ...rest] = words;
      expect(folder).toBe('-chdir=terraform');
      // What apply and destroy have in common with plan stands in plan's help.
      const pages = ['apply', 'destroy'].includes(command) ? [command, 'plan'] : [command];
      const help = pages
        .map((one) => execFileSync('terraform', [one, '-help'], { encoding: 'utf8' }))
        .join('');
      const flags = rest.filter((word) => word.startsWith('-')).map((flag) => flag.replace(/=.*/, ''));
      expect([
        words,
        flags.filter((flag) => !help.includes(`${flag}=`) && !new RegExp(`${flag}\\b`).test(help)),
      ]).toEqual([words, []]);
    }
  });

  test('name variables, outputs and resources that Terraform knows', () => {
    const outputs = [...read('terraform/outputs.tf').matchAll(/^output "(\w+)"/gm)].map(([, name]) => name);
    const addresses = new Set(resources.map(({ type, name }) => `${type}.${name}`));
    for (const { words } of starting('terraform')) {
      const [, , command, ...rest] = words;
      const named = rest.flatMap((word) => /^-var=(\w+)=/.exec(word)?.[1] ?? []);
      expect(named.filter((name) => !variables.includes(name))).toEqual([]);
      const operands = rest.filter((word) => !word.startsWith('-'));
      if (command === 'output') expect(outputs).toEqual(expect.arrayContaining(operands));
      if (command === 'state')
        expect(operands.slice(1).filter((address) => !addresses.has(address))).toEqual([]);
    }
  });

  test('name npm scripts and files that are there', () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(read('package.json')));
    for (const { words } of starting('npm')) {
      const name = words.slice(1).find((word) => !word.startsWith('-'));
      const script =
        name === 'run' ? words.slice(words.indexOf('run') + 1).find((word) => !word.startsWith('-')) : name;
      expect(['ci', ...Object.keys(scripts)]).toContain(script);
    }
    const paths = [...page.matchAll(/`((?:terraform|queries|dist)\/[\w./-]*)`/g)].map(
      ([, path = '']) => path,
    );
    const MADE = ['dist/', 'terraform/terraform.tfvars', 'terraform/.terraform.lock.hcl'];
    expect(paths.filter((path) => !existsSync(path) && !MADE.includes(path))).toEqual([]);
  });

  test('issue, list and revoke tokens with options that lqe has, as the output does', () => {
    const output = /npx lqe tokens [^"]+/.exec(read('terraform/outputs.tf'))?.[0] ?? '';
    const calls = [
      ...starting('npx')
        .filter(({ words }) => words[1] === 'lqe' && words[2] === 'tokens')
        .map(({ text }) => text),
      output,
    ];
    expect(calls).toHaveLength(6);
    for (const call of calls) {
      const [command = '', ...words] = (call.split('npx lqe tokens ')[1] ?? '').split(' ');
      expect(TOKENS_HELP).toContain(`lqe tokens ${command} `);
      const options = words.filter((word) => word.startsWith('--'));
      expect(options.filter((option) => !new RegExp(`${option} `).test(TOKENS_HELP))).toEqual([]);
    }
  });

  test('name functions, jobs, backends and the database by the names that they get', () => {
    const names = new Set(resources.flatMap(({ values }) => [values.name, values.secret_id]));
    const text = commands.map((command) => command.text).join('\n');
    const services = [...text.matchAll(/(?:--service=|service_name="|services update-traffic )([a-z-]+)/g)];
    const jobs = [...text.matchAll(/(?:jobs (?:describe|pause|resume) |job_id=")([a-z-]+)/g)];
    const backends = [...text.matchAll(/backend-services update ([a-z-]+)/g)];
    const databases = [...text.matchAll(/LQE_(?:FIRESTORE|TOKEN)_DATABASE=([a-z-]+)/g)];
    for (const found of [services, jobs, backends, databases]) {
      expect(found.length).toBeGreaterThan(0);
      expect(found.map(([, name]) => name).filter((name) => !names.has(name))).toEqual([]);
    }
  });

  test('set the shell variables that they use', () => {
    const text = commands.map((command) => command.text).join('\n');
    const set = [...text.matchAll(/(?:^|\s)([A-Z_]+)=/gm)].map(([, name]) => name);
    const used = [...text.matchAll(/\$\{?([A-Z_]+)/g)].map(([, name]) => name);
    expect(used.filter((name) => !set.includes(name))).toEqual([]);
  });
});

describe('docs/deploy.md', () => {
  test('has settings that Terraform accepts', () => {
    expect(settings.length).toBeGreaterThan(2);
    for (const index of settings.keys()) expect(outcomes.get(`settings_${index}`)?.errors).toEqual([]);
  });

  test('names what Terraform, the sources or its own examples have', () => {
    const outputs = [...read('terraform/outputs.tf').matchAll(/^output "(\w+)"/gm)].map(([, name]) => name);
    const sources = globSync('queries/sources/*.json').map(read).join('\n');
    const fields = [...sources.matchAll(/"name": *"(\w+)"/g)].map(([, name]) => name);
    const examples = PAGES.flatMap(codeBlocks).flatMap(({ text }) => text.match(/\w+/g) ?? []);
    const known = new Set([...variables, ...outputs, ...fields, ...examples]);
    const named = [...page.matchAll(/`([a-z]+_[a-z_]+)(?:\.\w+)?(?: = [^`]*)?`/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});
