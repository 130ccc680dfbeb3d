// When is a picture drawn? Once a frame.

/** A function that runs another once in the next frame, however often it is called before. */
export function inNextFrame(run) {
  let frame;
  return () => {
    frame ??= requestAnimationFrame(() => {
      frame = undefined;
      run();
    });
  };
}
