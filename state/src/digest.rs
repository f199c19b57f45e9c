//! A short fingerprint of a call's arguments.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};
use std::fmt;

/// The first 128 bits of SHA-256, as 32 hexadecimal digits in the file.
///
/// A cryptographic hash, because equal digests give a call the answer of another: no arguments that an agent writes
/// may collide by luck or by design. Its value is the same on every machine and in every version. It is computed
/// without the processor's own instructions for it: asking for them (`cpuid`) costs 50 µs in a virtual machine,
/// as much as digesting some 10 KB.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest(u128);

impl Digest {
    /// The digest of `bytes`.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        let hash = Sha256::digest(bytes);
        let first = hash.iter().take(16);
        Self(first.fold(0, |value, byte| value << 8 | u128::from(*byte)))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{:032x}", self.0)
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let digits = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        match u128::from_str_radix(&text, 16) {
            Ok(value) if digits => Ok(Self(value)),
            _ => Err(serde::de::Error::custom(
                "a digest is 32 hexadecimal digits",
            )),
        }
    }
}
