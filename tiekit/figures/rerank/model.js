// What is shown? Judgments of one segment, a ranking that the hand changes, its value, and what any can reach.

import { capOf, majorities, mostOf, outcomes, valueOf } from "./judging.js";
import { orderOf, scoresOf } from "./order.js";

export class Model {
  data = null; // as the host gave it last
  order = []; // the cards from best to worst
  edges = []; // the majorities

  /** Show what the host has given. */
  take(data) {
    const { judges, coefficient } = data, before = JSON.stringify([this.data?.judges, this.data?.coefficient]);
    this.data = data;
    if (before !== JSON.stringify([judges, coefficient])) {
      this.pairs = outcomes(judges.map(({ ranks }) => ranks));
      this.edges = majorities(this.pairs);
      this.cap = capOf(this.pairs, coefficient.name);
      this.most = mostOf(this.pairs, data.names.length, coefficient.name);
    }
    this.order = orderOf(data.metric);
    this.value = valueOf(this.pairs, data.metric, coefficient.name);
  }

  /** Show another order. */
  change(order) {
    this.take({ ...this.data, metric: scoresOf(order) });
  }
}
