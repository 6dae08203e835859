// The replay: fetches the moment one asks for, keeps its address in the bar, and can play by itself.

import { remember, swap } from './fragment.js';

const root = document.getElementById('replay');
const range = document.getElementById('at');
const PLAY_MS = 1800;
let playing = 0, asked = null, asking = false, hash = '';

async function go(at, anchor = '') {
  asked = at;
  hash = anchor;
  if (asking) return;
  asking = true;
  while (asked !== null) {
    const now = asked;
    asked = null;
    try {
      const res = await fetch(`${root.dataset.fragment}?at=${now}`, { headers: { 'X-Fragment': '1' } });
      if (!res.ok || !swap(root, await res.text())) throw new Error('no fragment');
      history.replaceState(null, '', `${root.dataset.page}?at=${now}${hash}`);
      if (asked === null && document.activeElement !== range) range.value = now;
      settle();
    } catch {
      location.assign(`${root.dataset.page}?at=${now}`);
    }
  }
  asking = false;
}

function settle() {
  const button = document.getElementById('play');
  button.hidden = false;
  button.textContent = playing ? button.dataset.pause : button.dataset.play;
  root.querySelector('.record .lit')?.scrollIntoView({ block: 'nearest' });
}

function play(on) {
  clearInterval(playing);
  playing = on ? setInterval(() => { if (root.dataset.after) go(root.dataset.after); else play(false); }, PLAY_MS) : 0;
  settle();
}

range.addEventListener('input', () => { play(false); go(range.value); });
root.addEventListener('click', (event) => {
  if (event.target.closest('#play')) { play(!playing); return; }
  const link = event.target.closest('a[href*="/replay?at="]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  play(false);
  const to = new URL(link.href);
  go(to.searchParams.get('at'), to.hash);
});
document.addEventListener('keydown', (event) => {
  if (event.target.closest('input, textarea, select') || event.ctrlKey || event.metaKey || event.altKey) return;
  const to = { ArrowLeft: root.dataset.before, ArrowRight: root.dataset.after }[event.key];
  if (to) { event.preventDefault(); play(false); go(to); }
});

remember(root);
settle();
