// A table's page: follows the game, keeps drafts, paces speeches, says when it is one's turn.

import { calm, ready, remember, sendForms, swap } from './fragment.js';

const root = document.getElementById('table');
const pane = document.getElementById('record-pane');
const pill = document.getElementById('pill');
const offline = document.getElementById('offline');
const title = document.title;
const PACE_MS = 900, PACE_TOTAL_MS = 6000, POLL_MS = 5000, SETTLE_MS = 120;
const store = { get: (k) => { try { return localStorage.getItem(k); } catch { return null; } },
  set: (k, v) => { try { if (v) localStorage.setItem(k, v); else localStorage.removeItem(k); } catch { /* private window */ } } };

// The record: new speeches one after another; the end stays in sight only for a reader who is at the end.
const atEnd = () => Math.abs(pane.scrollTop) < 48;
let queue = [], timer = 0, speaking = null;

function arrived(items) {
  if (document.hidden || calm() || root.dataset.past !== undefined) return;
  for (const li of items) { li.classList.add('arriving'); queue.push(li); }
  if (!timer) reveal();
}

// In the picture the one is lit whose words have just been shown, though more may have spoken since.
function light() {
  const seat = speaking && root.querySelector(`[data-agent="${CSS.escape(speaking)}"]`);
  if (!seat) return;
  for (const other of root.querySelectorAll('[data-agent].lit')) other.classList.remove('lit');
  seat.classList.add('lit');
}

function reveal() {
  const li = queue.shift();
  if (!li) { timer = 0; speaking = null; return; }
  if (li.dataset.by) { speaking = li.dataset.by; light(); }
  const end = atEnd();
  const before = pane.scrollHeight;
  li.classList.replace('arriving', 'arrived');
  if (end) pane.scrollTop = 0;
  else { pane.scrollTop -= pane.scrollHeight - before; pill.hidden = false; }
  const quick = !li.classList.contains('speech');
  timer = setTimeout(reveal, quick ? 0 : Math.min(PACE_MS, PACE_TOTAL_MS / (queue.length + 1)));
}

pill.addEventListener('click', () => { pane.scrollTop = 0; pill.hidden = true; });
pane.addEventListener('scroll', () => { if (atEnd()) pill.hidden = true; }, { passive: true });

// The form: counts characters as the server does, and keeps what was typed for this very turn.
const key = () => root.querySelector('[data-region=form]')?.dataset.key ?? '';
const drafted = (form) => form.querySelectorAll('textarea[name]');
const slot = (field) => `draft:${root.dataset.game}:${key()}:${field.name}`;

function count(field) {
  const out = root.querySelector(`[data-count="${field.id}"]`);
  if (!out) return;
  const now = [...field.value.trim()].length, max = +out.dataset.max, few = now < +(out.dataset.min ?? 0);
  out.classList.toggle('over', now > max);
  out.textContent = `${now} / ${max}` + (now > max ? ` · ${out.dataset.over}` : few && out.dataset.min > 1 ? ` · ${out.dataset.under}` : '');
}

function restore() {
  for (const form of root.querySelectorAll('form[data-draft]')) {
    for (const field of drafted(form)) {
      if (!field.value) field.value = store.get(slot(field)) ?? '';
      count(field);
    }
  }
}

root.addEventListener('input', ({ target }) => {
  if (!target.matches('form[data-draft] textarea')) return;
  store.set(slot(target), target.value);
  count(target);
});
function type(field, words) {
  field.focus();
  field.select();
  if (!document.execCommand('insertText', false, words)) field.setRangeText(words);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

// An intern's draft goes into the field at once, as if typed, so that it can be taken back.
root.addEventListener('click', (event) => {
  const link = event.target.closest('a[data-intern]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const form = link.closest('form');
  form.elements.character_id.value = link.dataset.intern;
  type(form.elements.text, link.dataset.words);
});
// What the archive showed lies open as a dialog of its own; one click copies an attack into the field, as if typed.
function unfold() {
  const dialog = root.querySelector('dialog.archive[open]');
  if (!dialog || dialog.matches(':modal')) return;
  dialog.close();
  dialog.showModal();
}
root.addEventListener('click', (event) => {
  const link = event.target.closest('a[data-archived]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  link.closest('dialog').close();
  type(root.querySelector('form[data-draft] textarea[name=text]'), document.getElementById(link.dataset.archived).textContent);
});
root.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && event.target.matches('form[data-live] textarea')) {
    event.target.form.requestSubmit();
  }
});

// Whose turn it is: the colour of the bar, the tab's title and, if allowed, a notification.
let announced = root.dataset.turn;

function announce() {
  const turn = root.dataset.turn;
  document.title = turn ? `${turn} · Moot` : title;
  if (turn && turn !== announced && document.hidden && window.Notification?.permission === 'granted') {
    try { new Notification(turn, { body: root.dataset.sayNotice, tag: root.dataset.game }); } catch { /* phones want a worker */ }
  }
  announced = turn;
}

function settle() {
  ready(root);
  const notify = document.getElementById('notify');
  if (notify && window.Notification?.permission === 'default') {
    notify.hidden = false;
    notify.onclick = async () => { await Notification.requestPermission(); notify.hidden = true; };
  }
  restore();
  announce();
  unfold();
}

function show(html, force = false) {
  const done = swap(root, html, { force, onward: true, arrived });
  if (done) { light(); settle(); }
  return Boolean(done);
}

// How many of one's own forms were answered.
let answered = 0;

sendForms((html, ok, form) => {
  answered += 1;
  const turn = key();
  const slots = [...drafted(form)].map(slot);
  const done = show(html, true);
  if (done && ok && key() !== turn) slots.forEach((name) => store.set(name, ''));
  root.querySelector('[aria-invalid]')?.focus();
  // Whoever has sat down hears more than a spectator: the stream is asked for again, with the seat's own cookie.
  if (done && ok && form.getAttribute('action').endsWith('/sit')) follow();
  return done;
});

// What a mind is writing, while it writes. It is no part of the record, and goes without a trace.
const typing = document.getElementById('typing');

function write({ display_name: name = '', text = '' } = {}) {
  const end = atEnd();
  typing.hidden = !text;
  typing.firstElementChild.textContent = name;
  typing.lastElementChild.textContent = text;
  if (end) pane.scrollTop = 0;
}

// Following: the stream is only a hint that there is something new to fetch.
let asking = false, again = false, settling = 0;

async function refresh() {
  if (asking) { again = true; return; }
  asking = true;
  const before = answered;
  try {
    const res = await fetch(root.dataset.fragment, { headers: { 'X-Fragment': '1' } });
    const html = await res.text();
    // A page requested before the player sat down shows the table without a seat: request it again.
    if (answered !== before) again = true;
    else if (res.ok) show(html);
    offline.hidden = true;
  } catch {
    offline.hidden = false; // the next poll or the stream's own retry comes back here
  }
  asking = false;
  if (again) { again = false; refresh(); }
}

let wait = 1000, poll = 0, stream = null;

function follow() {
  stream?.close();
  if (root.dataset.over === 'true' || root.dataset.past !== undefined) return;
  stream = new EventSource(`${root.dataset.stream}?typing=1&since=${root.dataset.version}`);
  stream.onopen = () => { wait = 1000; clearInterval(poll); poll = 0; };
  stream.onmessage = ({ data }) => {
    let told = {};
    try { told = JSON.parse(data); } catch { /* any message is a hint */ }
    write(told.type === 'typing' ? told : {});
    if (told.type === 'typing') return;
    if ((told.seq ?? told.version ?? Infinity) <= +root.dataset.version) return;
    clearTimeout(settling);
    settling = setTimeout(refresh, SETTLE_MS);
  };
  stream.onerror = () => {
    stream.close();
    write();
    poll ||= setInterval(refresh, POLL_MS);
    setTimeout(follow, wait);
    wait = Math.min(wait * 2, 30000);
  };
}

setInterval(() => {
  for (const out of root.querySelectorAll('[data-countdown]')) {
    const left = +out.dataset.countdown - (Date.now() - Date.parse(out.dataset.from)) / 1000;
    if (left >= 0 && left <= +out.dataset.countdown) out.textContent = out.dataset.say.replace('#', Math.ceil(left));
  }
}, 1000);

document.addEventListener('visibilitychange', () => { if (!document.hidden && root.dataset.over !== 'true') refresh(); });
remember(root);
settle();
follow();
