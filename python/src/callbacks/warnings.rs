//! Texts of warnings for the user's function.

use crate::text::warning_text;
use mj_engine::{Data, WarningStat};

/// Returns the texts of warnings that were raised for the first time since `before`.
pub fn first_raised(before: &[WarningStat], d: &Data) -> Vec<String> {
    let raised = before.iter().zip(&d.warnings).enumerate().filter(|(_, (b, w))| b.number == 0 && w.number != 0);
    raised
        .map(|(code, (_, w))| {
            let code = i32::try_from(code).unwrap_or(i32::MAX);
            format!("{} Time = {:.4}.", warning_text(code, w.lastinfo.into()), d.state.time)
        })
        .collect()
}
