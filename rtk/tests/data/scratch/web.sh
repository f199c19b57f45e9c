mkdir -p work
