//! Charts as SVG in the page.

use std::fmt::Write;

use super::escape::Escaped;
use crate::numbers::grouped;

/// The size of a column chart, in units that the browser scales.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 220.0;
const LEFT: f64 = 48.0;
const BOTTOM: f64 = 28.0;
const TOP: f64 = 10.0;
/// Labels of columns that have room side by side.
const MOST_LABELS: usize = 10;
/// The widest a column gets.
const WIDEST: f64 = 44.0;

/// A column: its label below, and its parts from the bottom up, each with its class and its name.
pub struct Column {
    pub label: String,
    pub parts: Vec<Part>,
}

/// A part of a column.
pub struct Part {
    pub class: &'static str,
    pub name: String,
    pub count: u64,
}

impl Column {
    fn total(&self) -> u64 {
        self.parts.iter().map(|part| part.count).sum()
    }
}

/// A chart of columns; `id` is unique in the page, `title` and `description` are for those who don't see it.
pub fn columns(id: &str, title: &str, description: &str, columns: &[Column]) -> String {
    let most = columns.iter().map(Column::total).max().unwrap_or(0);
    let step = step(most);
    let top = most.div_ceil(step).max(1) * step;
    let mut svg = format!(
        "<svg class=\"columns\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-labelledby=\"{id}-t {id}-d\">\
         <title id=\"{id}-t\">{}</title><desc id=\"{id}-d\">{}</desc>",
        Escaped(title),
        Escaped(description)
    );
    grid(&mut svg, step, top);
    let slot = (WIDTH - LEFT) / float(columns.len().max(1) as u64);
    let width = (slot * 0.72).min(WIDEST);
    let every = columns.len().div_ceil(MOST_LABELS).max(1);
    for (index, column) in columns.iter().enumerate() {
        let middle = LEFT + slot * (float(index as u64) + 0.5);
        stack(&mut svg, column, (middle - width / 2.0, width), top);
        // Counted from the last, which is the one that is looked for.
        if (columns.len() - 1 - index).is_multiple_of(every) {
            let _ = write!(
                svg,
                "<text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                HEIGHT - 8.0,
                Escaped(&column.label)
            );
        }
    }
    svg.push_str("</svg>");
    svg
}

fn stack(svg: &mut String, column: &Column, (x, width): (f64, f64), top: u64) {
    let mut below = 0;
    for part in column.parts.iter().filter(|part| part.count > 0) {
        let y = y_of(below + part.count, top);
        let height = y_of(below, top) - y;
        let _ = write!(
            svg,
            "<rect class=\"{}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\">\
             <title>{}</title></rect>",
            part.class,
            Escaped(format!(
                "{}: {} {}",
                column.label,
                grouped(part.count),
                part.name
            ))
        );
        below += part.count;
    }
}

fn grid(svg: &mut String, step: u64, top: u64) {
    for value in (0..=top / step).map(|line| line * step) {
        let y = y_of(value, top);
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{WIDTH}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LEFT - 8.0,
            y + 4.0,
            grouped(value)
        );
    }
}

fn y_of(value: u64, top: u64) -> f64 {
    let room = HEIGHT - TOP - BOTTOM;
    TOP + room - room * float(value) / float(top.max(1))
}

/// The distance of grid lines: 1, 2 or 5 times a power of ten, for no more than five lines.
fn step(most: u64) -> u64 {
    let steps = (0..19).flat_map(|power| [1, 2, 5].map(|step| step * 10_u64.pow(power)));
    steps
        .into_iter()
        .find(|step| most.div_ceil(*step) <= 4)
        .unwrap_or(u64::MAX)
}

/// A bar in a cell of a table, whose number stands beside it.
pub fn bar(class: &str, count: u64, most: u64) -> String {
    parts(&[(class, count)], most)
}

/// A bar of several parts.
pub fn parts(parts: &[(&str, u64)], most: u64) -> String {
    let mut svg = "<svg class=\"bar\" viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">".to_owned();
    let mut x = 0.0;
    for (class, count) in parts.iter().filter(|(_, count)| *count > 0) {
        let width = (1000.0 * float(*count) / float(most.max(1))).max(4.0);
        let _ = write!(
            svg,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"0\" width=\"{width:.1}\" height=\"10\"/>"
        );
        x += width;
    }
    svg.push_str("</svg>");
    svg
}

#[allow(
    clippy::cast_precision_loss,
    reason = "a place in a picture needs no 53 bits"
)]
fn float(number: u64) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::step;

    #[test]
    fn grid_lines_have_round_numbers() {
        let steps = [0, 1, 4, 5, 8, 9, 41, 1000, 80_001].map(step);
        assert_eq!(steps, [1, 1, 1, 2, 2, 5, 20, 500, 50_000]);
        assert_eq!(step(u64::MAX), 5_000_000_000_000_000_000);
    }
}
