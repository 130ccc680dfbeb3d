// Is the server still the one that drew this page? Where it was started again, the page is opened anew from its address:
// Streamlit connects but runs nothing, so the page would show what a session holds that is gone.

const AGAIN = 1000; // milliseconds until a server that did not answer is asked again

export default function ({ data }) {
  globalThis.tiekitRestart ??= watch(data);
}

function watch({ app, connected, header, process }) {
  let lost = null, isAsked = false; // the address when the connection was lost; null while there is one

  const look = async () => {
    if (document.querySelector(connected) === null) lost ??= location.href;
    else if (lost !== null && !isAsked) {
      isAsked = true;
      const answer = await fetch(new URL("health", location.href), { cache: "no-store" }).catch(() => null);
      isAsked = false;
      if (answer === null || answer.status >= 500) setTimeout(look, AGAIN);
      else if ([null, process].includes(answer.headers.get(header))) lost = null;
      else {
        history.replaceState({}, "", lost); // a run that has begun may have changed it
        location.reload();
      }
    }
  };
  new MutationObserver(look).observe(document.querySelector(app), { attributes: true });
  return true;
}
