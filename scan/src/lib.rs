//! Byte searches that start at once.
//!
//! The first call of `memchr` asks the processor what it can do. In a virtual machine each of those questions
//! leaves the guest: 65 µs in all were measured, as much as the rest of a short process. These functions
//! take memchr's own search for the instructions that every x86-64 has (SSE2). Other processors are not asked in
//! the first place.
//!
//! For a search over megabytes in a process that lives on, take `memchr` itself.

/// The place of the first `needle`.
#[must_use]
#[inline]
pub fn memchr(needle: u8, haystack: &[u8]) -> Option<usize> {
    imp::memchr(needle, haystack)
}

/// The place of the first of two bytes.
#[must_use]
#[inline]
pub fn memchr2(first: u8, second: u8, haystack: &[u8]) -> Option<usize> {
    imp::memchr2(first, second, haystack)
}

/// How many times `needle` occurs.
#[must_use]
#[inline]
pub fn count(needle: u8, haystack: &[u8]) -> usize {
    imp::count(needle, haystack)
}

#[cfg(target_arch = "x86_64")]
mod imp {
    use memchr::arch::x86_64::sse2::memchr::{One, Two};

    // `new` is `None` only where SSE2 is missing, which no x86-64 processor is.

    pub fn memchr(needle: u8, haystack: &[u8]) -> Option<usize> {
        match One::new(needle) {
            Some(search) => search.find(haystack),
            None => memchr::memchr(needle, haystack),
        }
    }

    pub fn memchr2(first: u8, second: u8, haystack: &[u8]) -> Option<usize> {
        match Two::new(first, second) {
            Some(search) => search.find(haystack),
            None => memchr::memchr2(first, second, haystack),
        }
    }

    pub fn count(needle: u8, haystack: &[u8]) -> usize {
        match One::new(needle) {
            Some(search) => search.count(haystack),
            None => memchr::memchr_iter(needle, haystack).count(),
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod imp {
    pub use memchr::{memchr, memchr2};

    pub fn count(needle: u8, haystack: &[u8]) -> usize {
        memchr::memchr_iter(needle, haystack).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn the_searches_find_what_a_loop_finds(
            haystack in proptest::collection::vec(0_u8..4, 0..200),
            first in 0_u8..5,
            second in 0_u8..5,
        ) {
            let place = |wanted: &dyn Fn(u8) -> bool| haystack.iter().position(|byte| wanted(*byte));
            proptest::prop_assert_eq!(memchr(first, &haystack), place(&|byte| byte == first));
            proptest::prop_assert_eq!(
                memchr2(first, second, &haystack),
                place(&|byte| byte == first || byte == second)
            );
            let times = haystack.iter().filter(|byte| **byte == first).count();
            proptest::prop_assert_eq!(count(first, &haystack), times);
        }
    }
}
