# A program for each tool that need not be installed. It records its arguments and ends with a given status.
set -e
mkdir -p work/src work/tests work/vendor/bin programs
cat > programs/stand-in <<'S'
#!/bin/sh
{ printf '%s\037' "${0##*/}"; for word in "$@"; do printf '%s\037' "$word"; done; printf '\n'; } >> "$STAND_IN_LOG"
exit "$STAND_IN_STATUS"
S
chmod +x programs/stand-in
for tool in gh glab gt pnpm bun bunx deno jest vitest playwright prisma tsc eslint ng next nx turbo oxlint pytest mypy ruff \
  sqlfluff pip uv poetry pre-commit basedpyright ty go docker kubectl oc helm aws gcloud ansible-playbook psql \
  composer phpstan pest ecs pint php rspec rubocop bundle dotnet swift sbt mvn mvnd gradle ctest just task mise jj \
  systemctl iptables fail2ban-client liquibase skopeo shellcheck hadolint yamllint markdownlint trunk quarto \
  mix rg ast-grep tree ps df du stat gcc wget ping xcodebuild jira tofu npx; do
  ln -s stand-in programs/$tool
done
cd work
for tool in phpstan pest; do cp ../programs/stand-in vendor/bin/$tool; done
cp ../programs/stand-in gradlew
cp ../programs/stand-in mvnw
echo text > a.txt
