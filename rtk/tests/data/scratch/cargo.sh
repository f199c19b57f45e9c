# A crate with a test that passes and one that fails, badly formatted, with a finding for clippy.
set -e
mkdir -p work/src work/broken/src
cd work
printf '[package]\nname = "scratch"\nversion = "0.1.0"\nedition = "2021"\n\n[workspace]\n' > Cargo.toml
cat > src/lib.rs <<'R'
pub fn one() -> i32 {
    return 1;
}
#[cfg(test)]
mod tests {
    #[test]
    fn good() { assert_eq!(super::one(), 1); }
    #[test]
    fn bad() { assert_eq!(super::one(), 2); }
}
R
printf '[package]\nname = "broken"\nversion = "0.1.0"\nedition = "2021"\n\n[workspace]\n' > broken/Cargo.toml
echo 'pub fn f() -> i32 { "a" }' > broken/src/lib.rs
