// When was an upload refused? The browser tells of each answer. A second answer at a file's address is its removal. An
// upload that begins after the refusal and is taken is another try.

const PLACE = "/upload_file/";
const TOO_MUCH = 413;

export default function ({ parentElement }) {
  const words = parentElement.querySelector("p");
  words.watched ??= watch(words); // a run of the page calls this again
}

function watch(words) {
  const taken = new Set();
  let refused = Infinity;
  const observer = new PerformanceObserver((list) => {
    if (!words.isConnected) return observer.disconnect();
    for (const { name, responseStatus, startTime, responseEnd } of list.getEntries()) {
      if (!name.includes(PLACE)) continue;
      if (responseStatus === TOO_MUCH) {
        words.hidden = false;
        refused = responseEnd;
      } else {
        words.hidden ||= taken.has(name) || startTime > refused;
        taken.add(name);
      }
    }
  });
  observer.observe({ type: "resource" });
  return observer;
}
