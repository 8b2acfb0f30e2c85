import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';

/** A resource as a mocked apply leaves it. */
const resource = z.object({
  type: z.string(),
  name: z.string(),
  index: z.union([z.string(), z.number()]).optional(),
  values: z.record(z.string(), z.unknown()),
});

const message = z.looseObject({
  type: z.string().optional(),
  '@testfile': z.string().optional(),
  test_state: z.object({ root_module: z.object({ resources: z.array(resource) }) }).optional(),
  diagnostic: z.object({ severity: z.string(), summary: z.string(), detail: z.string() }).optional(),
});

export type Resource = z.infer<typeof resource>;

/** What a file of tests came to. */
export interface Outcome {
  /** The resources after its last run. */
  readonly resources: readonly Resource[];
  /** The details of its errors. */
  readonly errors: readonly string[];
}

/** Values for variables that are needed, and that no test is about. */
export const GIVEN = 'project = "acme-logs"\n  region = "europe-west1"\n  domain = "logs.example.com"';

/**
 * Runs files of Terraform tests, by name, in the workspace of run.sh and with a mocked provider. Rejects when one of
 * them was not run.
 */
export async function terraformTest(
  files: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, Outcome>> {
  const workspace = process.env.LQE_TERRAFORM_WORKSPACE;
  if (workspace === undefined) throw new Error('Start these tests with "npm run test:terraform".');
  const root = join(workspace, 'terraform');
  const folder = await mkdtemp(join(root, 'tests-'));
  try {
    for (const [name, text] of Object.entries(files))
      await writeFile(join(folder, `${name}.tftest.hcl`), text);
    const lines = await output(root, ['test', '-json', '-verbose', `-test-directory=${basename(folder)}`]);
    const messages = lines.map((line) => message.parse(JSON.parse(line)));
    return new Map(Object.keys(files).map((name) => [name, outcomeOf(messages, `${name}.tftest.hcl`)]));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The provider with the values of terraform/tests/mocks, and these blocks of overrides. */
export function mockProvider(overrides = ''): string {
  return `mock_provider "google" {\n  source = "./tests/mocks"\n${overrides}\n}\n`;
}

/** A run that applies with these variables. */
export function applied(variables: string = GIVEN, overrides = ''): string {
  return `${mockProvider(overrides)}\nrun "apply" {\n  variables {\n  ${variables}\n  }\n}\n`;
}

/** An override that gives a service account its own identity, where the mocks give all the same one. */
export function accountOverride(address: string, name: string): string {
  const email = `lqe-${name}@acme-logs.iam.gserviceaccount.com`;
  const id = `projects/acme-logs/serviceAccounts/${email}`;
  return `override_resource {
  target = ${address}
  values = { id = "${id}", name = "${id}", email = "${email}", member = "serviceAccount:${email}" }
}`;
}

function outcomeOf(messages: readonly z.infer<typeof message>[], file: string): Outcome {
  const own = messages.filter((one) => basename(one['@testfile'] ?? '') === file);
  if (own.length === 0) throw new Error(`Terraform did not run ${file}.`);
  return {
    resources: own.flatMap((one) => one.test_state?.root_module.resources ?? []),
    errors: own.flatMap(({ diagnostic }) => (diagnostic?.severity === 'error' ? [diagnostic.detail] : [])),
  };
}

/** The lines of a command's standard output, whatever it ends with: tests that fail end with 1. */
function output(directory: string, args: readonly string[]): Promise<readonly string[]> {
  return new Promise((resolve) => {
    execFile('terraform', [...args], { cwd: directory, maxBuffer: 256 * 1024 * 1024 }, (_, stdout) => {
      resolve(stdout.split('\n').filter((line) => line !== ''));
    });
  });
}
