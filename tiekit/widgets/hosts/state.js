// What has changed in a figure? A host keeps the data, hears of changes, and gives data that others have changed.

/** Open a figure in an element; `changed(data)` hears of its changes. Returned: give data, and close. */
export function hosted({ open, applied }, element, data, changed) {
  let take, serial = 0;
  const close = open({
    element,
    data: { ...data, serial },
    send: ({ serial: heard, ...change }) => {
      serial = heard;
      data = applied(data, change);
      changed(data);
    },
    onData: (taker) => (take = taker),
  });
  return {
    close,
    give: (fresh) => {
      data = fresh;
      take({ ...data, serial });
    },
  };
}
