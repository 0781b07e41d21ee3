//! The page around a recording: its markup, style, shaders and scripts, from the folder `page`.

use crate::error::RecordError;
use base64::Engine as _;
use flate2::{Compression, write::GzEncoder};
use std::io::Write;

const MARKUP: &str = include_str!("../page/recording.html");
const STYLE: &str = include_str!("../page/style.css");

/// Part of a page that draws scenes; pages of other programs have them too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PagePart {
    /// Style of a canvas, of buttons and of a bar at the lower border.
    Style,
    /// Elements with the shaders.
    Shaders,
    /// Scripts that draw scenes, move a camera and read a [`SceneStream`](crate::SceneStream).
    Scripts,
}

impl PagePart {
    /// Returns the text, without comments.
    pub fn text(self) -> String {
        let joined = |scripts: &[&str]| scripts.iter().map(|s| bare(s)).collect::<Vec<_>>().join("\n");
        match self {
            Self::Style => bare(STYLE),
            Self::Shaders => SHADERS.iter().map(shader).collect(),
            Self::Scripts => joined(DRAWING) + "\n" + &bare(STREAM),
        }
    }
}

/// Returns an element with a shader.
fn shader((name, text): &(&str, &str)) -> String {
    format!("<script type=\"text/plain\" id=\"{name}\">{}</script>\n", bare(text))
}

/// Shaders with the names under which `draw.js` finds them.
const SHADERS: &[(&str, &str)] = &[
    ("surface.vert", include_str!("../page/surface.vert.glsl")),
    ("surface.frag", include_str!("../page/surface.frag.glsl")),
    ("sky.vert", include_str!("../page/sky.vert.glsl")),
    ("sky.frag", include_str!("../page/sky.frag.glsl")),
];

/// Scripts that draw, in the order in which they run.
const DRAWING: &[&str] = &[
    include_str!("../page/math.js"),
    include_str!("../page/shapes.js"),
    include_str!("../page/draw.js"),
    include_str!("../page/orbit.js"),
    include_str!("../page/reader.js"),
];

/// Scripts that play a recording.
const PLAYING: &[&str] = &[include_str!("../page/decode.js"), include_str!("../page/player.js")];

/// Script that reads scenes as they come.
const STREAM: &str = include_str!("../page/stream.js");

/// Returns a page that plays a block.
pub fn page(title: &str, block: &[u8]) -> Result<String, RecordError> {
    let data = base64::engine::general_purpose::STANDARD.encode(compressed(block)?);
    let scripts: Vec<String> = DRAWING.iter().chain(PLAYING).map(|s| bare(s)).collect();
    let parts = [
        ("{title}", escaped(title)),
        ("{style}", PagePart::Style.text()),
        ("{shaders}", PagePart::Shaders.text()),
        ("{recording}", data),
        ("{script}", scripts.join("\n")),
    ];
    Ok(fill_page(MARKUP, &parts))
}

/// Returns a block, compressed by gzip.
pub fn compressed(block: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(block)?;
    gzip.finish()
}

/// Replaces each place in a text, once and from left to right, so that no part is searched for places.
pub fn fill_page(text: &str, parts: &[(&str, String)]) -> String {
    let (mut out, mut rest) = (String::new(), text);
    for (place, part) in parts {
        if let Some((before, after)) = rest.split_once(place) {
            out.push_str(before);
            out.push_str(part);
            rest = after;
        }
    }
    out + rest
}

/// Leaves out lines of comments, indentation and empty lines.
fn bare(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns a text in which nothing means something in HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_text() {
        let page = page("</title><script>alert(1)</script>{recording}", b"x").unwrap();
        assert!(!page.contains("<script>alert"));
        assert!(page.contains("&lt;/title&gt;"));
        assert_eq!(page.matches("H4sI").count(), 1);
    }

    #[test]
    fn the_page_asks_no_network() {
        let page = page("", b"").unwrap();
        for word in ["http://", "https://", "src=", "href=", "import("] {
            assert!(!page.contains(word), "{word}");
        }
    }
}
