// How does Streamlit host a figure? It calls the component with every run, on the same element, with data and with a
// function that takes the state `said`. Large data come as texts, which are read once.

/** The data with what `texts` hold as JSON; what was read from a text is in `known`, by name. */
function whole({ texts, ...data }, known) {
  for (const [name, text] of Object.entries(texts ?? {})) {
    if (known[name]?.text !== text) known[name] = { text, value: JSON.parse(text) };
    data[name] = known[name].value;
  }
  return data;
}

/** A component of a figure, which fills the element of the class figure. */
export function host(figure) {
  return ({ parentElement, data: given, setStateValue }) => {
    const element = parentElement.querySelector(".figure"), hosted = (element.hosted ??= { known: {} });
    const data = whole(given, hosted.known);
    hosted.say = setStateValue ?? hosted.say;
    if (hosted.take) hosted.take(data);
    else
      hosted.close = figure.open({
        element,
        data,
        send: (state) => hosted.say("said", state),
        onData: (take) => (hosted.take = take),
      });
    return () => setTimeout(() => element.isConnected || hosted.close());
  };
}
