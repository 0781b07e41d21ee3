//! Plots beside each other.

use crate::view::View;
use eframe::egui::Ui;
use egui_plot::{Legend, Line, Plot};

/// Shows the chosen plots.
pub(crate) fn plots(ui: &mut Ui, view: &View) {
    let shown: Vec<usize> = (0..view.plots.all.len()).filter(|&plot| view.plots.all[plot].shown).collect();
    ui.columns(shown.len().max(1), |columns| {
        for (ui, &plot) in columns.iter_mut().zip(&shown) {
            let readings = &view.plots.all[plot];
            ui.label(readings.title);
            Plot::new(readings.title).legend(Legend::default()).show(ui, |area| {
                for (curve, name) in readings.names.iter().enumerate() {
                    area.line(Line::new(name.clone(), view.plots.curve(plot, curve)));
                }
            });
        }
    });
}
