//! Curves and points as SVG files.

use crate::Result;
use plotters::prelude::*;
use std::ops::Range;
use std::path::Path;

/// A named series.
pub struct Series {
    /// Name in the legend; series without one are not in it.
    pub name: String,
    /// Points.
    pub points: Vec<(f64, f64)>,
    /// Number of its colour.
    pub color: usize,
    /// Joined by lines, not shown as points.
    pub line: bool,
}

const COLORS: [RGBColor; 7] = [
    RGBColor(0, 0, 0),
    RGBColor(31, 119, 180),
    RGBColor(214, 39, 40),
    RGBColor(255, 150, 0),
    RGBColor(44, 140, 44),
    RGBColor(140, 80, 170),
    RGBColor(120, 120, 120),
];

/// Words around a figure.
pub struct Labels<'a> {
    /// Above it.
    pub title: &'a str,
    /// Along the axes.
    pub axes: [&'a str; 2],
    /// Corner of the legend.
    pub legend: SeriesLabelPosition,
}

/// Range of an axis, and its scale.
pub struct Axis {
    /// Range.
    pub range: Range<f64>,
    /// Base of the logarithm along it; none where it is linear.
    pub base: Option<f64>,
}

impl Axis {
    /// Place of a value on the axis.
    fn place(&self, x: f64) -> f64 {
        self.base.map_or(x, |base| x.log(base))
    }

    fn places(&self) -> Range<f64> {
        self.place(self.range.start)..self.place(self.range.end)
    }

    /// A label at a place.
    fn label(&self, place: &f64) -> String {
        let x = self.base.map_or(*place, |base| base.powf(*place));
        if x != 0.0 && x.abs() < 0.01 { format!("{x:.0e}") } else { format!("{}", (x * 100.0).round() / 100.0) }
    }
}

/// Draws series.
pub fn draw(path: &Path, labels: &Labels<'_>, [x, y]: [Axis; 2], series: &[Series]) -> Result<()> {
    let root = SVGBackend::new(path, (640, 400)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(labels.title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(60)
        .build_cartesian_2d(x.places(), y.places())?;
    let mut mesh = chart.configure_mesh();
    mesh.x_desc(labels.axes[0]).y_desc(labels.axes[1]).light_line_style(WHITE);
    let (of_x, of_y) = (|p: &f64| x.label(p), |p: &f64| y.label(p));
    mesh.x_label_formatter(&of_x).y_label_formatter(&of_y).draw()?;
    for s in series {
        let style = ShapeStyle::from(COLORS[s.color % COLORS.len()]).stroke_width(if s.line { 2 } else { 1 });
        let points = s.points.iter().map(|p| (x.place(p.0), y.place(p.1)));
        let drawn = if s.line {
            chart.draw_series(LineSeries::new(points, style))?
        } else {
            chart.draw_series(points.map(|p| Circle::new(p, 3, style.filled())))?
        };
        if s.name.is_empty() {
            continue;
        }
        let drawn = drawn.label(s.name.as_str());
        if s.line {
            drawn.legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], style));
        } else {
            drawn.legend(move |(x, y)| Circle::new((x + 10, y), 3, style.filled()));
        }
    }
    let mut legend = chart.configure_series_labels();
    legend.position(labels.legend.clone()).background_style(WHITE.mix(0.8)).border_style(BLACK).draw()?;
    root.present()?;
    Ok(())
}
