// What does the browser do about predictions? The tab keeps them over a reload, and an answer gets the focus when it
// is revealed: the button that was pressed is gone, and the keyboard would start again at the top of the page.

const STORE = "tiekit predictions";
const PATIENCE = 10_000; // milliseconds until an answer that was revealed is drawn

export default function ({ data, setStateValue }) {
  const page = (globalThis.tiekitPredictions ??= { asked: false, revealed: data.revealed?.[0] ?? 0 });
  const stored = read();
  if (!data.isNew) sessionStorage.setItem(STORE, JSON.stringify(data.predictions));
  else if (stored.length && !page.asked) {
    page.asked = true;
    setStateValue("stored", stored);
  }
  if (!data.revealed || data.revealed[0] <= page.revealed) return;
  page.revealed = data.revealed[0];
  focusOn(data.revealed[1], performance.now() + PATIENCE);
}

function read() {
  try {
    return JSON.parse(sessionStorage.getItem(STORE)) ?? [];
  } catch {
    return [];
  }
}

/** Focus the answer once it is drawn; until then its box holds the question. */
function focusOn(name, deadline) {
  const answer = document.querySelector(`.${CSS.escape(name)} :is([role=alert], [role=status])`);
  if (answer) {
    answer.tabIndex = -1;
    answer.focus();
  } else if (performance.now() < deadline) setTimeout(focusOn, 50, name, deadline);
}
