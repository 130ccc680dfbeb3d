// How high is a figure's frame? As high as what it shows, which changes as one uses it. The figure says so by itself, as
// pages that are opened from a folder may not look into each other.
addEventListener("message", ({ data, source }) => {
  for (const frame of document.querySelectorAll("iframe.live")) {
    const height = Math.ceil(data?.tiekitHeight ?? 0) + 8;
    if (frame.contentWindow === source && height > 8 && Math.abs(frame.clientHeight - height) > 8)
      frame.style.height = `${height}px`;
  }
});
for (const frame of document.querySelectorAll("iframe.live")) // some were ready before anybody listened
  frame.contentWindow.postMessage("tiekitHeight", "*");
