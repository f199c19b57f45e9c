# A repository with a history, a side branch, a merge, a stash, changes in every state and a remote.
set -e
git init -q --bare -b main remote.git
git init -q -b main work
cd work
git remote add origin ../remote.git
mkdir src docs
for i in 1 2 3 4 5 6 7 8; do
  for j in $(seq 1 30); do echo "line $j of $i"; done > "src/f$((i % 4)).txt"
  printf 'commit %s\n\nA body of %s.\nSecond line.\n' "$i" "$i" > ../message
  git add -A
  git commit -q -F ../message
done
git tag v1
git checkout -q -b side HEAD~3
echo side > docs/side.md
git add -A
git commit -q -m "on the side"
git checkout -q main
git merge -q --no-ff -m "merge the side" side
git push -q origin main side
git branch -q --set-upstream-to origin/main main
echo stashed >> src/f1.txt
git stash -q
for j in $(seq 1 300); do echo "new $j"; done > src/f2.txt
echo staged > staged.txt
git add staged.txt
echo untracked > "un tracked.txt"
printf 'a\0b\n' > binary.dat
