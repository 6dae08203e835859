// What the player has stands above the page, and moves when the game has paid or charged something.

const root = document.getElementById('table');
const purse = document.querySelector('.purse');

function reckon() {
  const now = root.dataset.balance;
  if (!now || purse.textContent === `${now} IA`) return;
  purse.textContent = `${now} IA`;
  purse.ariaLabel = purse.ariaLabel.replace(/\d+/, now);
  purse.classList.remove('changed');
  requestAnimationFrame(() => purse.classList.add('changed'));
}

if (root && purse) new MutationObserver(reckon).observe(root, { attributeFilter: ['data-balance'] });
