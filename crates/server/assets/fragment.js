// Swaps a page region by region: what the server did not change is not touched, so focus, caret and scroll survive.

const seen = new Map();
/** Whether the reader asked for reduced motion. */
export const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Remembers the server's HTML of every region below `root`, before scripts touch it. */
export function remember(root) {
  for (const region of root.querySelectorAll('[data-region]')) seen.set(region.dataset.region, region.outerHTML);
}

/** Puts the changed regions of `html` in place of ours. Returns the new root, or null if `html` is no fragment. */
export function swap(root, html, { force = false, onward = false, arrived = () => {} } = {}) {
  const fresh = new DOMParser().parseFromString(html, 'text/html');
  const regions = [...fresh.querySelectorAll('[data-region]')];
  if (!regions.length) return null;
  const next = root.id && fresh.getElementById(root.id);
  // An answer that was overtaken by a later one is of no use any more.
  if (onward && next && +next.dataset.version < +root.dataset.version) return root;
  if (next) for (const { name, value } of next.attributes) root.setAttribute(name, value);
  for (const region of regions) {
    const name = region.dataset.region;
    const html = region.outerHTML;
    const old = root.querySelector(`[data-region="${name}"]`);
    if (!old || seen.get(name) === html) continue;
    const kept = region.dataset.key !== undefined && region.dataset.key === old.dataset.key;
    if (kept && !force) continue;
    seen.set(name, html);
    if ('list' in region.dataset) mergeList(old, region, arrived);
    else replace(old, region, force);
  }
  return next || root;
}

function replace(old, region, force) {
  const open = new Set([...old.querySelectorAll('details[open]')].map((d) => d.className));
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  const fresh = document.importNode(region, true);
  const top = old.scrollTop;
  // What is being typed goes on in the new form, unless it was just sent.
  for (const field of force ? [] : old.querySelectorAll('input[id], textarea[id]')) {
    const heir = field.value !== field.defaultValue && fresh.querySelector(`#${field.id}`);
    if (heir) heir.value = field.value;
  }
  const caret = focused?.selectionStart;
  for (const d of fresh.querySelectorAll('details')) if (open.has(d.className)) d.open = true;
  // Only what has moved is shown moving.
  if (!calm() && old.dataset.scene !== fresh.dataset.scene) fresh.classList.add('moved');
  old.replaceWith(fresh);
  fresh.scrollTop = top;
  if (focused) {
    // Its successor; without one the panel, lest a screen reader begin again at the top of the page.
    const href = focused.getAttribute('href');
    const heir = focused.id ? document.getElementById(focused.id)
      : href && [...fresh.querySelectorAll('a')].find((a) => a.getAttribute('href') === href);
    (heir || document.getElementById('panel'))?.focus({ preventScroll: true });
    if (caret != null && heir?.setSelectionRange) heir.setSelectionRange(caret, caret);
  }
  ready(fresh);
}

/** Children with ids are kept where they are the same; new ones are handed to `arrived`. */
function mergeList(old, region, arrived) {
  const had = new Map([...old.children].map((li) => [li.id, li]));
  const fresh = [];
  let at = old.firstElementChild;
  for (const li of region.children) {
    const same = had.get(li.id);
    had.delete(li.id);
    if (same) {
      if (same !== at) old.insertBefore(same, at);
      else at = at.nextElementSibling;
      if (same.dataset.was === undefined ? same.outerHTML !== li.outerHTML : same.dataset.was !== li.outerHTML) {
        const hidden = same.classList.contains('arriving');
        const focus = [...same.querySelectorAll('a, button')].indexOf(document.activeElement);
        same.innerHTML = li.innerHTML;
        if (focus >= 0) same.querySelectorAll('a, button')[focus]?.focus();
        same.className = li.className + (hidden ? ' arriving' : '');
        same.dataset.was = li.outerHTML;
      }
    } else {
      const copy = document.importNode(li, true);
      copy.dataset.was = li.outerHTML;
      old.insertBefore(copy, at);
      fresh.push(copy);
    }
  }
  for (const gone of had.values()) gone.remove();
  if (fresh.length) arrived(fresh);
}

/** Shows what only works with scripts. */
export function ready(root) {
  if (navigator.clipboard) for (const b of root.querySelectorAll('[data-copy]')) b.hidden = false;
}

document.addEventListener('click', async (event) => {
  const button = event.target.closest('[data-copy]');
  if (!button) return;
  await navigator.clipboard.writeText(button.dataset.copy);
  const was = button.textContent;
  button.textContent = button.dataset.said;
  setTimeout(() => { button.textContent = was; }, 1600);
});

/** Sends forms marked `data-live` and hands the fragment that comes back to `got`. */
export function sendForms(got) {
  document.addEventListener('submit', async (event) => {
    const form = event.target;
    if (!('live' in form.dataset) || event.defaultPrevented) return;
    event.preventDefault();
    const button = event.submitter;
    if (button?.ariaBusy) return;
    button?.setAttribute('aria-busy', 'true');
    const body = new URLSearchParams(new FormData(form, button));
    try {
      const res = await fetch(form.getAttribute('action'), { method: 'POST', body, headers: { 'X-Fragment': '1' } });
      if (res.redirected) location.assign(res.url);
      else if (!got(await res.text(), res.ok, form)) location.reload();
    } catch {
      // The network failed, not the form: let the browser try and say so itself.
      form.submit();
    } finally {
      button?.removeAttribute('aria-busy');
    }
  });
}
