#!/usr/bin/env bash
# The one step of action.yml, which says what each SCAN_ variable means.
set -euo pipefail

options=()
if [ -n "$SCAN_MIN" ]; then options+=(--min "$SCAN_MIN"); fi
if [ "$SCAN_PUSH" = true ] && [ -n "$SCAN_KEY" ]; then options+=(--push); fi
if [ "$SCAN_PUSH" = true ] && [ -z "$SCAN_KEY" ]; then
  echo "::notice::There is no key, so the scan is not sent to the team."
fi

# What is printed from here on has names of files, which must not become commands to the runner.
token="$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')"
echo "::stop-commands::$token"
trap 'echo "::$token::"' EXIT

npm install --global --prefix "$RUNNER_TEMP/tms" --ignore-scripts --no-audit --no-fund --loglevel=error "$SCAN_PACKAGE"
tms="$RUNNER_TEMP/tms/bin/tms"

"$tms" scan --format markdown -- "$SCAN_FOLDER" >> "$GITHUB_STEP_SUMMARY"

if [ "$SCAN_UPLOAD" = true ]; then
  # GitHub refuses a whole file for one result without a place.
  "$tms" scan --format sarif -- "$SCAN_FOLDER" |
    jq -c '.runs[].results |= map(select(.locations))' | gzip | base64 -w0 > "$RUNNER_TEMP/scan.sarif"
  gh api --silent --method POST "repos/$GITHUB_REPOSITORY/code-scanning/sarifs" \
    -f commit_sha="$GITHUB_SHA" -f ref="$GITHUB_REF" -F sarif=@"$RUNNER_TEMP/scan.sarif"
fi

TMS_KEY="$SCAN_KEY" "$tms" scan ${options[@]+"${options[@]}"} -- "$SCAN_FOLDER"
