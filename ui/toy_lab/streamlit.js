// How does Streamlit host the toy lab? It calls this with every run, on the same element, with data and with a function
// that takes the state `said`. The import is resolved among the modules of tiekit/widgets, into one file.

import { openLab } from "./lab/lab.js";

export default function ({ parentElement, data, setStateValue }) {
  const element = parentElement.querySelector(".lab"), hosted = (element.hosted ??= {});
  hosted.say = setStateValue ?? hosted.say;
  if (hosted.take) hosted.take(data);
  else
    hosted.close = openLab({
      element,
      data,
      send: (state) => hosted.say("said", state),
      onData: (take) => (hosted.take = take),
    });
  return () => setTimeout(() => element.isConnected || hosted.close());
}
