//! Curves as SVG files.

use crate::text::Error;
use plotters::prelude::*;
use std::ops::Range;
use std::path::Path;

/// A named curve.
pub struct Curve {
    /// Name in the legend.
    pub name: String,
    /// Points.
    pub points: Vec<(f64, f64)>,
}

impl Curve {
    /// A curve by its name and points.
    pub fn new(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.into(), points }
    }
}

const COLORS: [RGBColor; 5] =
    [RGBColor(0, 0, 0), RGBColor(31, 119, 180), RGBColor(214, 39, 40), RGBColor(255, 150, 0), RGBColor(44, 140, 44)];

/// Draws curves with labelled axes; the first is the broadest. The range of y is cut to `y`.
pub fn draw(
    path: &Path,
    title: &str,
    [x_label, y_label]: [&str; 2],
    y: Range<f64>,
    curves: &[Curve],
) -> Result<(), Error> {
    let end = curves.iter().flat_map(|c| &c.points).fold(0.0, |m: f64, p| m.max(p.0));
    let root = SVGBackend::new(path, (640, 400)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(60)
        .build_cartesian_2d(0.0..end, y.clone())?;
    chart.configure_mesh().x_desc(x_label).y_desc(y_label).light_line_style(WHITE).draw()?;
    for (k, c) in curves.iter().enumerate() {
        let style = ShapeStyle::from(COLORS[k % COLORS.len()]).stroke_width(if k == 0 { 3 } else { 1 });
        let inside = c.points.iter().copied().map(|(x, v)| (x, v.clamp(y.start, y.end)));
        chart
            .draw_series(LineSeries::new(inside, style))?
            .label(c.name.as_str())
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], style));
    }
    chart.configure_series_labels().background_style(WHITE.mix(0.8)).border_style(BLACK).draw()?;
    root.present()?;
    Ok(())
}
