// What is shown? The votes of each judge at one of its thresholds, and which judge leads by each agreement.

export const AGREEMENTS = ["withoutTies", "withTies"];

export class Model {
  data = null; // as the host gave it last
  at = []; // the place of each judge's threshold

  /** Show what the host has given, at the steps nearest to its thresholds; one number is for all judges. */
  take(data) {
    this.data = data;
    this.at = data.judges.map((judge, place) => nearest(judge, [data.threshold].flat().at(place) ?? [data.threshold].flat()[0]));
  }

  /** Each judge's threshold. */
  get threshold() {
    return this.now.map(({ epsilon }) => epsilon);
  }

  /** What is known of every judge at its threshold. */
  get now() {
    return this.data.judges.map(({ name, best, steps }, place) => ({ name, best, ...steps[this.at[place]] }));
  }

  /** Give each judge the threshold with which it agrees best, or none. */
  goTo(which) {
    this.at = this.data.judges.map((judge) => nearest(judge, which === "best" ? judge.best : 0));
  }

  /** The place of the judge that is ahead beyond chance: its interval of the difference lies on one side of 0. */
  leader(agreement) {
    const sign = this.data.leads[agreement]?.[this.at[0]][this.at[1]] ?? 0;
    return sign ? (sign > 0 ? 0 : 1) : null;
  }
}

/** The place of a judge's step that is nearest to a threshold. */
function nearest({ steps }, threshold) {
  const away = steps.map(({ epsilon }) => Math.abs(epsilon - threshold));
  return away.indexOf(Math.min(...away));
}
