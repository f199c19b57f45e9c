# Scripts that pass, fail and write; tools in node_modules that stand in for tsc and eslint.
set -e
mkdir -p work/node_modules/.bin work/src
cd work
cat > package.json <<'J'
{
  "name": "scratch",
  "version": "1.0.0",
  "scripts": {
    "test": "node test.js",
    "build": "node -e \"require('fs').writeFileSync('built.txt', 'yes')\"",
    "build:fail": "node -e \"console.error('bad'); process.exit(3)\"",
    "typecheck": "node -e \"process.exit(2)\"",
    "loud": "node -e \"for (let i = 0; i < 500; i++) console.log('line', i)\"",
    "format": "node -e \"console.log('formatted')\""
  }
}
J
echo "console.log('tests'); process.exit(process.argv[2] === 'fail' ? 4 : 0)" > test.js
for tool in tsc eslint thing; do
  printf '#!/usr/bin/env node\nrequire("fs").appendFileSync("%s.log", process.argv.slice(2).filter((word) => word !== "-f" && word !== "json").join(" ") + "\\n");\nif ("%s" === "eslint") console.log("[]");\nprocess.exit(process.argv.includes("fail.ts") ? 2 : 0);\n' $tool $tool > node_modules/.bin/$tool
  chmod +x node_modules/.bin/$tool
done
