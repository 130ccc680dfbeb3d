// How does the search read what is typed? Stands before the theme's worker, which takes each word for a beginning: "b" of
// "tau b" found BLEU, "in" found install. Here stop words are left out, words of three letters are whole, endings do not
// count, and a word that no page has is a slip of another one.

const PLAIN = /^[\p{L}\p{N}\s'’?!.,;/_*-]+$/u; // other signs are the theme's own language: "a phrase", +must, title:word
let index; // as the theme builds it

const listen = self.addEventListener.bind(self);
self.addEventListener = (kind, hear) =>
  listen(kind, ({ data }) => {
    if (data.type === 0) keepIndex();
    return hear({ data: data.type === 2 ? { ...data, data: asked(data.data) } : data });
  });

/** Keep the index that the theme builds. */
function keepIndex() {
  const build = lunr.Builder.prototype.build;
  lunr.Builder.prototype.build = function () {
    return (index = build.call(this));
  };
}

/** What the theme is to look for where a reader asks this. */
function asked(query) {
  if (!PLAIN.test(query)) return query;
  const letters = /\btau\b/i.test(query) ? /\b(?:tau[\s-]+)?([abc])\b/gi : /$^/g; // "tau b vs c": tau_b and tau_c
  const typed = query.toLowerCase().replace(letters, "tau_$1").split(/[\s?!.,;/-]+/);
  const telling = typed.filter((word) => word !== "vs" && lunr.stopWordFilter(word));
  return telling.map(term).join(" ") || query;
}

/** A word as the theme's query has it: `^1` for a whole one, others are the beginning of a word. */
function term(word) {
  const words = Object.keys(index.invertedIndex);
  if (word.length < 4 && words.includes(word)) return `${word}^1`;
  const stem = word.replace(/(?<=.{4})(?:ing|ed)$|(?<=.{3})(?<!s)s$/, "");
  if (words.some((known) => known.startsWith(stem))) return stem;
  const meant = word.length > 4 ? index.tokenSet.intersect(lunr.TokenSet.fromFuzzyString(word, 1)).toArray() : [];
  return meant.length ? term(meant[0]) : word;
}
