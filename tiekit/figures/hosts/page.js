// How does a page of its own host a figure? The data stand in the page, what has changed in the address's fragment.

import { hosted } from "./state.js";

/** Show a figure in an element of this page; the names in `keys` are what the fragment may hold. */
export function host(figure, element, given, keys) {
  const start = () => {
    const data = { ...given, ...readFragment(keys) };
    return sound(figure, data) ? data : given;
  };
  const { give } = hosted(figure, element, start(), (data) => {
    history.replaceState(null, "", `#${fragmentOf(data, given, keys)}`);
  });
  addEventListener("hashchange", () => give(start()));
}

function sound({ isSound }, data) {
  try {
    return isSound(data);
  } catch {
    return false; // it has not even the right parts
  }
}

function readFragment(keys) {
  const found = {};
  for (const [key, text] of new URLSearchParams(location.hash.slice(1))) {
    try {
      if (keys.includes(key)) found[key] = JSON.parse(text);
    } catch {
      // a damaged part of a link is left out
    }
  }
  return found;
}

function fragmentOf(data, given, keys) {
  const texts = keys.map((key) => [key, JSON.stringify(data[key])]);
  return new URLSearchParams(texts.filter(([key, text]) => text !== JSON.stringify(given[key])));
}
