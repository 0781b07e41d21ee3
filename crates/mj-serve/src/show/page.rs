//! The page, put together of the parts that draw and those that control.

use mj_record::{PagePart, fill_page};

const MARKUP: &str = include_str!("../page/view.html");
const STYLE: &str = include_str!("../page/view.css");

/// Scripts in the order in which they run.
const SCRIPTS: &[&str] = &[
    include_str!("../page/plot.js"),
    include_str!("../page/panel.js"),
    include_str!("../page/pointer.js"),
    include_str!("../page/overlay.js"),
    include_str!("../page/view.js"),
];

/// Returns the page, which loads nothing from anywhere.
pub fn web_page() -> String {
    let scripts = PagePart::Scripts.text() + "\n" + &SCRIPTS.join("\n");
    let parts = [
        ("{style}", PagePart::Style.text() + "\n" + STYLE),
        ("{shaders}", PagePart::Shaders.text()),
        ("{script}", scripts),
    ];
    fill_page(MARKUP, &parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_loads_nothing() {
        let page = web_page();
        for word in ["http://", "https://", "src=", "import(", "{style}", "{shaders}", "{script}"] {
            assert!(!page.contains(word), "{word}");
        }
        assert!(page.contains("class Painter") && page.contains("class View"));
    }
}
