//! A usage as one page that needs nothing else.

use agent_core::context_budget::ContextUsage;

const PAGE: &str = include_str!("page.html");
/// Where the figures stand in the page.
const FIGURES: &str = "/*figures*/";

/// The page. Names in it are text: nothing of them can end the script or become markup.
pub(crate) fn page(usage: &ContextUsage) -> serde_json::Result<String> {
    let json = serde_json::to_string(usage)?;
    let json = json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029");
    Ok(PAGE.replacen(FIGURES, &json, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_holds_the_figures_and_reaches_for_nothing() {
        let page = page(&ContextUsage::default().window(200_000)).unwrap_or_default();
        assert!(page.contains("\"window\":200000") && !page.contains(FIGURES));
        for far in ["http:", "https:", "src=", "@import", "url("] {
            assert!(!page.contains(far), "{far}");
        }
    }
}
