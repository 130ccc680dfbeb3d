// Where does a threshold stand? Curve and number line share one axis, so that ε is as long in both.

export const SIDE = 44; // room left
export const END = 18; // and right

/** The pixel of a difference, and the difference of a pixel. */
export const acrossOf = (difference, widest, width) => SIDE + (difference / (widest || 1)) * (width - SIDE - END);
export const differenceAt = (x, widest, width) => ((x - SIDE) / (width - SIDE - END)) * (widest || 1);
