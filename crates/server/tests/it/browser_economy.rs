//! IA in a browser.
