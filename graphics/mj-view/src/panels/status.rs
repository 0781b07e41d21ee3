//! Time, counts and warnings.

use crate::view::View;
use eframe::egui::{Grid, Ui};
use mj_model::ObjType;
use mj_session::Snapshot;

/// Shows the counts of the last step.
pub(super) fn status(ui: &mut Ui, view: &View, snapshot: &Snapshot) {
    let statistics = &snapshot.statistics;
    let step: f64 = statistics.stages.iter().map(std::time::Duration::as_secs_f64).sum();
    let selected = match view.replica.perturb.select {
        body @ 1.. => view.name(ObjType::Body, body as usize),
        _ => "nothing".into(),
    };
    let mut rows = vec![
        ("time", format!("{:.3} s", snapshot.time)),
        ("a step takes", format!("{:.1} µs", 1e6 * step)),
        ("iterations", statistics.niter.to_string()),
        ("contacts", statistics.ncon.to_string()),
        ("rows", statistics.nefc.to_string()),
        ("selected", selected),
        ("picture", format!("{:.0} ms, {}", 1e3 * view.picture.time.as_secs_f64(), view.picture.adapter())),
    ];
    if let Some(pace) = snapshot.pace {
        rows.insert(1, ("reached speed", format!("{:.2}", pace.reached)));
    }
    Grid::new("status").show(ui, |ui| {
        for (name, value) in rows {
            ui.label(name);
            ui.label(value);
            ui.end_row();
        }
    });
    for warning in &statistics.warnings {
        ui.colored_label(ui.visuals().warn_fg_color, warning);
    }
}
