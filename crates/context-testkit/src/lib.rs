//! Hermetic support for tests: time, identity, places and file systems that are the same on every machine.
//!
//! [`FixedClock`] and [`CountingIds`] stand in for the system's, [`Place`] is a throw-away directory with a project, a home,
//! an outside and a managed directory, and [`FaultyFs`] injects what disks do on bad days.
//!
//! ```
//! use context_testkit::Place;
//! let place = Place::new();
//! place.write("src/a.rs", "fn a() {}");
//! assert!(place.proj().join("src/a.rs").exists());
//! ```

mod clock;
mod faulty;
mod fixtures;
mod ids;
mod place;
mod store;
mod threads;

pub use clock::FixedClock;
pub use faulty::{Fault, FaultyFs};
pub use fixtures::{fixture, fixtures};
pub use ids::CountingIds;
pub use place::Place;
pub use store::store_contract;
pub use threads::{ThreadPerJob, wait};
