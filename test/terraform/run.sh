#!/usr/bin/env bash
# Checks terraform/: format, types, its own tests with a mocked provider, and that it agrees with the code. Everything
# happens in a copy, so that no .terraform, lock file or state of yours is touched. Needs Terraform 1.11 or later, and the
# Google provider from the registry or, where that is out of reach, from the shared offline copy of its schema.
set -euo pipefail
cd "$(dirname "$0")/../.."

npm run --silent build

offline=../shared/terraform-offline/install.sh
if [ -x "$offline" ]; then
  TF_CLI_CONFIG_FILE=$("$offline")
  export TF_CLI_CONFIG_FILE
fi
LQE_TERRAFORM_WORKSPACE=$(mktemp -d)
export LQE_TERRAFORM_WORKSPACE
trap 'rm -rf "$LQE_TERRAFORM_WORKSPACE"' EXIT
mkdir "$LQE_TERRAFORM_WORKSPACE/terraform"
cp -r terraform/*.tf terraform/tests "$LQE_TERRAFORM_WORKSPACE/terraform"
ln -s "$PWD/queries" "$PWD/dist" "$LQE_TERRAFORM_WORKSPACE"

terraform fmt -check -diff -recursive terraform

in_copy() {
  terraform -chdir="$LQE_TERRAFORM_WORKSPACE/terraform" "$@"
}
in_copy init -backend=false -input=false -no-color > /dev/null
in_copy validate -no-color
# Its last line counts the tests; without the first word it has the form of other runners.
in_copy test -no-color | sed -E 's/^(Success|Failure)! //'

node --experimental-vm-modules --disable-warning=ExperimentalWarning node_modules/jest/bin/jest.js \
  --config test/terraform/jest.config.ts "$@"
