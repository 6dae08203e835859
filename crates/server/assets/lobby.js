// The lobby: reloads every few seconds while the page is visible.

import { ready, remember, swap } from './fragment.js';

const root = document.getElementById('lobby');
const EVERY_MS = 5000;

async function look() {
  if (!document.hidden) {
    try {
      const res = await fetch(root.dataset.fragment, { headers: { 'X-Fragment': '1' } });
      if (res.ok) swap(root, await res.text());
    } catch { /* the next look may do better */ }
  }
  setTimeout(look, EVERY_MS);
}

remember(root);
ready(document);
setTimeout(look, EVERY_MS);
