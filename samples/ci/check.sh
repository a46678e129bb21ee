#!/bin/sh
# Checks files as gigwork would send them, and sends nothing. Usage: check.sh FILE...
# Ends with gigwork's exit code: 0 everything could be sent, 2 wrong usage or settings, 3 something has to be mended.
# On GitHub it marks each finding at its line and writes totals and digest into the summary of the job.
# Needs gigwork and jq. GIGWORK_BASE_URL is never called; with it, the dry run prints the digest to approve.
set -eu

events=$(mktemp)
trap 'rm -f "$events"' EXIT

code=0
gigwork batch import --dry-run --json -- "$@" >"$events" || code=$?

# The last line is the summary. Without a summary, gigwork did not come to its end.
summary=$(tail -n 1 "$events" | jq -c 'select(.event == "summary")')
if [ -z "$summary" ]; then
  echo "gigwork ended without a summary (exit code $code)" >&2
  exit 1
fi

# Characters that a workflow command must not contain are written as %XX.
jq -r '
  def text: gsub("%"; "%25") | gsub("\r"; "%0D") | gsub("\n"; "%0A");
  def property: tostring | text | gsub(":"; "%3A") | gsub(","; "%2C");
  select(.event == "issue")
  | ([if .file then "file=\(.file | property)" else empty end,
      if .line then "line=\(.line)" else empty end,
      "title=\(.code)"] | join(",")) as $where
  | "::\(.severity) \($where)::\(if .record then "record \(.record): " else "" end | text)\(.message | text)"
' "$events"

report() {
  printf '%s' "$summary" | jq -r '
    def cell: (. // "none") | tostring | gsub("[|`<>\r\n]"; " ");
    "### gigwork: \(if .exit_code == 0 then "ready to send" else "not ready (\(.stop_reason))" end)",
    "",
    "\(.records.read) records read, \(.records.invalid) invalid, \(.warnings) warnings.",
    "",
    "| type | currency | cost center | records | amount | without price |",
    "|---|---|---|---:|---:|---:|",
    (.totals | to_entries[] | .key as $type | .value[]
      | "| \($type) | \(.currency | cell) | \(.cost_center | cell) | \(.count) | \(.amount) | \(.unpriced) |"),
    "",
    (if .digest then "Approved with: `--expect-digest \(.digest)`" else "No digest: set GIGWORK_BASE_URL." end)'
}

if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  report >>"$GITHUB_STEP_SUMMARY"
else
  report
fi
exit "$code"
