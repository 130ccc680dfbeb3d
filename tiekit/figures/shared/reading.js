// In which order is read, and tabbed through, what moves on the screen? In the order in which it has come to stand there.

const asked = new WeakMap(); // what was last asked of each parent

/** Put the children of one parent into an order as soon as they rest; the one with the focus keeps it. */
export async function readInOrder(elements) {
  const parent = elements[0]?.parentElement;
  if (!parent) return;
  asked.set(parent, elements);
  await Promise.allSettled(elements.flatMap((element) => element.getAnimations()).map(({ finished }) => finished));
  if (asked.get(parent) !== elements || elements.some((element) => element.parentElement !== parent)) return;
  if (elements.every((element, at) => parent.children[at] === element)) return;
  const focused = parent.getRootNode().activeElement;
  const held = Math.max(0, elements.findIndex((element) => element.contains(focused)));
  elements[held].before(...elements.slice(0, held));
  elements[held].after(...elements.slice(held + 1));
}
