// What has changed in a figure? A host keeps the data, hears of changes, and gives data that others have changed.
//
// A figure that holds changes of its own does not take what is given until they are heard. They are then a part of the
// data, which are given once more.

/** Open a figure in an element; `changed(data)` hears of its changes. Returned: give data, and close. */
export function hosted({ open, applied }, element, data, changed) {
  let take, isGiven = false, serial = 0;
  const close = open({
    element,
    data: { ...data, serial },
    send: ({ serial: heard, ...change }) => {
      serial = heard;
      data = applied(data, change);
      changed(data);
      if (isGiven) queueMicrotask(() => take({ ...data, serial }));
      isGiven = false;
    },
    onData: (taker) => (take = taker),
  });
  return {
    close,
    give: (fresh) => {
      data = fresh;
      isGiven = true;
      take({ ...data, serial });
    },
  };
}
