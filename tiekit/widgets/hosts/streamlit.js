// How does Streamlit host a figure? It calls the component with every run, on the same element, with data and with a
// function that takes the state `said`.

/** A component of a figure, which fills the element of the class figure. */
export function host(figure) {
  return ({ parentElement, data, setStateValue }) => {
    const element = parentElement.querySelector(".figure"), hosted = (element.hosted ??= {});
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
