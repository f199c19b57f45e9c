# Targets that pass, fail, write, print much and print nothing.
set -e
mkdir -p work/sub
cd work
printf 'all: one two\none:\n\t@echo one > one.txt\ntwo:\n\techo two\nfail:\n\t@echo before; exit 3\nquiet:\n\t@true\nmuch:\n\t@for i in $$(seq 1 200); do echo line $$i; done\ncheck: one\n\t@grep -q one one.txt\nbad-check:\n\t@grep -q two nothing.txt\n' > Makefile
cp Makefile sub/Makefile
