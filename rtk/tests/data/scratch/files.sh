# Text, binary, Latin-1, empty, large, hidden and linked files; folders that rtk leaves out of lists.
set -e
mkdir -p work/src/deep/er work/docs work/node_modules/x work/build work/empty "work/with blank"
cd work
for i in 1 2 3 4 5 6 7 8 9; do
  printf 'alpha %s\n  foo bar %s\nTODO: later\n' "$i" "$i" > "src/f$i.py"
done
for i in $(seq 1 300); do echo "foo line $i"; done > big.txt
for i in $(seq 1 300); do echo "other $i"; done > other.txt
cp big.txt same.txt
printf 'foo\0bar\n' > binary.dat
printf 'foo\xff\n' > latin.txt
printf 'a\r\nfoo\r\n' > crlf.txt
printf 'no newline' > bare.txt
: > nothing.txt
printf '\xef\xbb\xbfwith a mark\n' > bom.txt
printf 'tab\there\n\n\n  indented  \n' > blanks.txt
printf '{"a": 1, "b": [1, 2]}\n' > a.json
printf 'ünï → ☃\n' > unicode.txt
echo foo > .hidden
echo foo > 'a b.txt'
echo foo > 'with blank/c d.txt'
echo foo > node_modules/x/i.js
echo 'foo in build' > build/out.txt
echo '# Title' > docs/README.md
ln -s big.txt link
ln -s missing dangling
cp src/f1.py src/deep/er/g.py
chmod +x src/f1.py
head -c 9000000 /dev/zero | tr '\0' 'x' > huge.log
