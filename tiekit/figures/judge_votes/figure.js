// What is the figure of judges' votes? Two tables of votes, their agreements, and a tie threshold for each judge.

import { make } from "../shared/elements.js";
import { Model, mount, spoken } from "../shared/mount.js";
import { Judge, sentenceOf } from "./view.js";

/**
 * Open the figure. Its data hold for each judge its table and agreements at each of its thresholds, and who leads at each
 * two of them (see data.py); `threshold` says where the sliders stand.
 */
export function openFigure(host) {
  const model = new JudgedVotes();
  return mount(host, "judge-votes", model, ({ tell, flush }) => {
    const change = (wait = 0) => {
      model.changed();
      tell({ threshold: model.threshold }, wait);
    };
    const button = (words, which) => make("button", { type: "button", onclick: () => {
      model.goTo(which);
      change();
    } }, words);
    const said = spoken("said"), field = make("div", { class: "judges" });
    const control = make("div", { class: "control", role: "group", "aria-label": "Tie thresholds of all judges" },
      make("b", {}, "Tie thresholds"), button("Best for each", "best"), button("None", "none"));
    const note = make("p", { class: "note" },
      "On the diagonal both agree; dashed cells are left out without ties. Win, loss: of the system that is first by name. " +
      "Beyond chance: the 95 % interval of the difference does not contain 0.");
    let judges = [];
    const tables = {
      arrange() {
        judges = model.data.judges.map((_, place) => new Judge(model, place, change, flush));
        field.replaceChildren(...judges.map(({ element }) => element));
        control.hidden = model.data.judges.every(({ steps }) => steps.length < 2);
      },
      show() {
        for (const judge of judges) judge.show();
      },
    };
    return {
      children: [said, control, field, note],
      views: [tables],
      madeOf: (data) => ({ ...data, threshold: null, serial: null, large: null }), // a slider that keys move keeps its focus
      show() {
        const { first, rest } = sentenceOf(model);
        if (said.textContent !== first + rest) said.replaceChildren(make("strong", {}, first), rest);
      },
    };
  });
}

// --------------------------------------------------------------------------------------------------------------------
// What is shown? The votes of each judge at one of its thresholds, and which judge leads by each agreement.

class JudgedVotes extends Model {
  at = []; // the place of each judge's threshold

  /** Show what the host has given, at the steps nearest to its thresholds; one number is for all judges. */
  take(data) {
    super.take(data);
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
