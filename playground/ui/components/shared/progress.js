// How far a reader came in each lesson, kept in this browser only: the lesson writes it, the list of lessons reads it.
// A browser may hold no storage, a full one, or something that we never wrote there; then there is simply no progress.

export const KEY = "chunking-playground:lessons";
const MOST_STEPS = 50;
const MOST_LESSONS = 100;
const MOST_CHARACTERS = 100_000;

const isStep = (value) => Number.isInteger(value) && value >= 0 && value < MOST_STEPS;
const isDate = (value) => typeof value === "string" && value.length <= 30 && !Number.isNaN(Date.parse(value));

/** One lesson's entry in the shape that we write, or null for anything else. */
function sound(entry) {
  if (!entry || typeof entry !== "object" || !isStep(entry.step)) return null;
  const done = Array.isArray(entry.done) ? [...new Set(entry.done.filter(isStep))].sort((a, b) => a - b) : [];
  return { step: entry.step, done, finished: entry.finished === true, at: isDate(entry.at) ? entry.at : "" };
}

/** Whatever is stored, or null. */
function stored() {
  try {
    const text = localStorage.getItem(KEY);
    const found = text && text.length <= MOST_CHARACTERS ? JSON.parse(text) : null;
    return found && typeof found === "object" && !Array.isArray(found) ? found : null;
  } catch {
    return null;
  }
}

function write(lessons) {
  try {
    localStorage.setItem(KEY, JSON.stringify(lessons));
  } catch {
    // Private windows and full disks keep nothing; the lesson itself works without.
  }
}

/**
 * The progress by lesson: `{slug: {step, done: [steps], finished, at}}`. With the slugs that exist, every other one is
 * also removed from what is stored, so that renamed lessons do not pile up.
 */
export function read(known) {
  const found = stored() ?? {};
  const slugs = Object.keys(found).filter((slug) => !known || known.includes(slug));
  const lessons = Object.create(null); // a slug may be any word, "__proto__" too
  for (const slug of slugs.slice(0, MOST_LESSONS)) {
    const entry = sound(found[slug]);
    if (entry) lessons[slug] = entry;
  }
  if (known && Object.keys(lessons).length < Object.keys(found).length) write(lessons);
  return lessons;
}

/** The reader stands at this step; with `done`, its goal was reached. A lesson is finished when all `steps` are done. */
export function mark(slug, step, steps, { done = false } = {}) {
  const lessons = read();
  const before = lessons[slug] ?? { done: [], finished: false };
  const reached = [...new Set(done ? [...before.done, step] : before.done)].sort((a, b) => a - b);
  const finished = before.finished || (steps > 0 && reached.filter((one) => one < steps).length === steps);
  lessons[slug] = { step, done: reached, finished, at: new Date().toISOString() };
  write(lessons);
}

/** The reader opened this step. */
export function visited(slug, step) {
  mark(slug, step, 0);
}

/** Forget all of it. */
export function forget() {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Where nothing can be stored, nothing is there to forget.
  }
}
