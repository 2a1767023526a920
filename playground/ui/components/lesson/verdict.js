// What was predicted against what is so, in words.

import { counted, format } from "../shared/base.js";
import { plural, written } from "./prose.js";

const SAME = new Set(["%", "percent"]); // what is written alike for one and for many

const one = (unit) => unit.replace(/ies$/, "y").replace(/s$/, "");

/** The unit as it stands beside a field: "chunks", whether it is given as one or as many. */
export const many = (unit) => (!unit || SAME.has(unit) ? unit : plural(`${one(unit)}s`));

/** A number in the prediction's unit: "9 chunks", "1 chunk", "20%". */
function measured(value, unit) {
  if (unit === "%") return `${format(value)}%`;
  if (!unit || SAME.has(unit)) return `${written(value)} ${unit ?? ""}`.trim();
  return plural(counted(value, one(unit)));
}

/** What the reader said, in words. */
export function words(predict, said) {
  return predict.choices.length ? predict.choices[said] ?? "" : measured(said, predict.unit);
}

/** A prediction made in whole numbers is right when the fact rounds to it. */
const agrees = (said, value) => said === value || (Number.isInteger(said) && Math.round(value) === said);

function judgeNumber({ fact, unit }, { facts }, said) {
  const value = facts?.[fact];
  if (typeof value !== "number") return null;
  const answer = `it is ${measured(value, unit)}.`;
  if (typeof said !== "number") return { kind: "answer", text: `So ${answer}` };
  return agrees(said, value) ? { kind: "right", text: `Right: ${answer}` } : { kind: "wrong", text: `Not quite: ${answer}` };
}

function judgeChoice({ choices }, { right }, said) {
  const answers = choices.filter((_, index) => right?.[index]);
  if (!answers.length) return null;
  if (typeof said === "number" && right[said]) return { kind: "right", text: "Right." };
  const answer = `The answer: ${answers.join(" or ")}`;
  return typeof said === "number" ? { kind: "wrong", text: `Not quite. ${answer}` } : { kind: "answer", text: answer };
}

/**
 * The verdict on `said` (null or undefined: nothing was said) by what the page tells: `{kind, text}` with the kind
 * "right", "wrong" or "answer"; null while the page cannot tell.
 */
export function judge(predict, told, said) {
  return (predict.choices.length ? judgeChoice : judgeNumber)(predict, told, said);
}
