"""Lessons on the whole page, as a learner takes them: a guess, a drag or a click to the goal, what to notice, on."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from browser.visit import Visit, check_pieces, chunked
from playwright.sync_api import Error, Locator, expect

from playground import Chunking
from playground.lessons.catalogue import lessons, number_of
from playground.lessons.glossary import glossary
from playground.live.store import read_sample

KEY = "chunking-playground:lessons"
DROWNED = "too-small-too-large"
GIVEAWAYS = ", ".join(
    f"{one}:visible"
    for one in (".slider", ".radios", ".controls .field", ".numbers", ".fate", ".breaks", ".question input", ".after")
)

# In every frame: where the parts of the page are that must stay.
_RECORD = """
(parts) => {
  const record = (window.__places = { frames: [] });
  const frame = () => {
    record.frames.push(parts.map((part) => {
      const { left, top, width, height } = part.getBoundingClientRect();
      return [left, top, width, height];
    }));
    record.request = requestAnimationFrame(frame);
  };
  frame();
}
"""
_STOP = "() => { cancelAnimationFrame(window.__places.request); return window.__places.frames; }"


class Learner:
    """A tab in which lessons are taken."""

    def __init__(self, visit: Visit) -> None:
        self.visit, self.page = visit, visit.page

    # --- where one is --------------------------------------------------------------------------------------------

    def list_lessons(self) -> Learner:
        """Load the list anew."""
        self.page.goto(f"{self.visit.origin}/?page=learn")
        expect(self.entries).to_have_count(len(lessons()))
        return self

    def open(self, slug: str, step: int = 1, **query: object) -> Learner:
        """Follow the link of a step."""
        self.visit.open(page="learn", lesson=slug, step=step, **query)
        return self.at(slug, step)

    def choose(self, slug: str) -> Learner:
        """Come to a lesson through the list."""
        self.entries.filter(has_text=lessons()[slug].title).click()
        return self.at(slug)

    def at(self, slug: str, step: int = 1) -> Learner:
        """Wait until card, address and stage are at this step."""
        lesson = lessons()[slug]
        expect(self.card.locator("h2")).to_have_text(lesson.title)
        expect(self.card.locator("h3")).to_have_text(lesson.steps[step - 1].title)
        expect(self.card.locator(".count")).to_contain_text(f"Lesson {number_of(slug)} of {len(lessons())}")
        self.visit.wait_for_query(page="learn", lesson=slug, step=step)
        self.visit.painted()
        return self

    # --- what there is -------------------------------------------------------------------------------------------

    @property
    def entries(self) -> Locator:
        """The lessons in the list."""
        return self.page.locator(".lessons ol a.entry")

    @property
    def card(self) -> Locator:
        """The card."""
        return self.page.locator(".lesson")

    @property
    def task(self) -> Locator:
        """What is to do."""
        return self.card.locator(".task")

    @property
    def notice(self) -> Locator:
        """What to notice."""
        return self.card.locator(".after")

    @property
    def onward(self) -> Locator:
        """The way on."""
        return self.card.locator(".onward")

    @property
    def fate(self) -> Locator:
        """What the stage says of the answer."""
        return self.visit.pane().locator(".fate")

    @property
    def beside(self) -> Locator:
        """The overlap in units, as the first pane says it."""
        return self.visit.pane().locator(".slider.overlap .beside")

    def stored(self) -> Any:
        """The progress that the browser keeps."""
        return json.loads(self.page.evaluate("key => localStorage.getItem(key) ?? '{}'", KEY))

    # --- what one does -------------------------------------------------------------------------------------------

    def guesses(self, said: int) -> str:
        """See that nothing gives the answer away, then predict: the choice with this index, or this number. Returns
        what was said, in words."""
        form = self.card.locator(".predict")
        expect(form).to_be_visible()
        expect(self.task).to_have_count(0)
        expect(self.page.locator(GIVEAWAYS)).to_have_count(0)
        words = str(said)
        if form.locator(".choice").count():
            words = form.locator(".choice").nth(said).inner_text().strip()
            form.locator(".choice").nth(said).click()
        else:
            form.get_by_role("spinbutton").fill(words)
        form.get_by_role("button", name="That is my prediction").click()
        expect(form).to_have_count(0)
        expect(self.card.locator(".said")).to_contain_text(f"You said: {words}")
        expect(self.task).to_contain_text("To do: ")
        expect(self.notice).to_be_hidden()
        expect(self.onward).not_to_have_class(re.compile("primary"))
        return words

    def drag(self, name: str, share: float, steps: int = 12, number: int = 0) -> None:
        """Take hold of a slider, move it by this share of its length, and hold it there."""
        slider = self.visit.slider(name, number)
        x, y = self.visit.press(slider)
        box = slider.bounding_box()
        assert box
        self.page.mouse.move(x + share * (box["width"] - 20), y, steps=steps)

    def reach(self, name: str, wanted: int, number: int = 0) -> None:
        """Go the last bit to a value with the arrow keys, by ones and by tens."""
        slider, entry = self.visit.slider(name, number), self.visit.entry(name, number)
        slider.press("ArrowLeft")  # what it says after a key is what it is set to, also while an answer is on its way
        by = wanted - int(entry.input_value())
        way = "ArrowRight" if by > 0 else "ArrowLeft"
        for key in ["Shift+" + way] * (abs(by) // 10) + [way] * (abs(by) % 10):
            slider.press(key)
        expect(entry).to_have_value(str(wanted))

    def looks_into(self, number: int) -> None:
        """Click a chunk, once the text that a new step draws stays as it is."""

        def clicked() -> None:
            try:
                self.visit.open_inspector(number)
            except Error as error:
                raise AssertionError("the text was drawn anew") from error

        self.visit.eventually(clicked)

    def picks(self, label: str) -> None:
        """Choose a mode or unit of the first pane."""
        self.visit.pane().get_by_role("radio", name=label).check()

    def shows(self, chunking: Chunking) -> None:
        """Wait until the first pane shows these chunks."""
        self.visit.eventually(lambda: check_pieces(self.visit.pieces(visible=True), chunking))

    def is_done(self, verdict: str = "") -> None:
        """Wait until the goal is reached: the task says so, the notice shows, the way on stands out, it is kept."""
        expect(self.task).to_contain_text("Done: ")
        expect(self.notice).to_be_visible()
        expect(self.notice.get_by_role("heading", name="Notice")).to_be_visible()
        expect(self.onward).to_have_class(re.compile("primary"))
        expect(self.card.locator(".steps [aria-current]")).to_have_text("✓")
        if verdict:
            expect(self.card.locator(".verdict")).to_contain_text(verdict)

    def goes_on(self, slug: str, step: int = 1) -> Learner:
        """Press the way on, which leads to this step."""
        self.onward.click()
        return self.at(slug, step)

    def facts(self) -> dict[str, str]:
        """What the notice says of each fact that is written into it, by the fact's name."""
        step = lessons()[self.visit.query["lesson"]].steps[int(self.visit.query["step"]) - 1]
        names = [part["fact"] for row in step.notice.as_rows() for part in row["parts"] if "fact" in part]
        texts = self.notice.locator(".fact").all_inner_texts()
        assert len(texts) == len(names) > 0
        return dict(zip(names, texts, strict=True))

    def says(self, **facts: object) -> None:
        """Wait until the notice has these facts."""
        wanted = {name: str(value) for name, value in facts.items()}
        self.visit.eventually(lambda: _same({name: self.facts().get(name) for name in wanted}, wanted))


def _same(found: object, wanted: object) -> None:
    assert found == wanted


@pytest.fixture(scope="module")
def _lessons_tab(new_visit: Callable[[], Visit]) -> Iterator[Learner]:
    learner = Learner(new_visit()).list_lessons()
    yield learner
    learner.page.close()


@pytest.fixture
def learner(_lessons_tab: Learner) -> Learner:
    """A learner who has done nothing so far, in a tab that the tests here share."""
    _lessons_tab.visit.in_front()
    _lessons_tab.page.evaluate("localStorage.clear()")
    return _lessons_tab


def numbers_in(text: str) -> list[float]:
    """The numbers of a sentence: numbers_in("5 of 1,200 (0.5%)") is [5, 1200, 0.5]."""
    return [float(found.replace(",", "")) for found in re.findall(r"\d[\d,]*(?:\.\d+)?", text)]


def setup(slug: str, step: int, **other: object) -> Chunking:
    """The chunks with the settings that a step begins with, and these instead of them."""
    found = lessons()[slug].steps[step - 1].setup
    return chunked(read_sample(found.document), **{**found.panes[0], **other})


def spans(chunking: Chunking) -> list[tuple[int, int]]:
    """Where the chunks begin and end."""
    return list(zip(chunking.starts.tolist(), chunking.ends.tolist(), strict=True))


class TestWalks:
    def test_a_chunk_that_ends_in_a_word_is_found_by_clicking(self, learner: Learner) -> None:
        learner.list_lessons().choose("fixed-size")
        chunking = setup("fixed-size", 1)
        cuts = chunking.word_cuts
        learner.guesses(2)
        expect(learner.card.locator(".verdict.right")).to_have_text("✓Right.")  # it can be told before anything is done
        learner.shows(chunking)
        learner.visit.rested()
        whole, torn = (int((cuts[:8] == flag).nonzero()[0][0]) + 1 for flag in (False, True))
        learner.looks_into(whole)
        expect(learner.task).to_contain_text("To do: ")
        learner.page.keyboard.press("Escape")
        learner.looks_into(torn)
        learner.is_done()
        expect(learner.visit.status).to_contain_text(f"Chunk {torn} of {len(chunking)}")
        learner.says(word_cuts=cuts.sum(), boundaries=len(chunking) - 1, sentence_cuts=chunking.sentence_cuts.sum())
        learner.goes_on("fixed-size", 2).guesses(2)
        learner.picks("Words")
        learner.is_done("Right.")
        learner.says(word_cuts=0)
        learner.goes_on("overlap")
        entry = learner.stored()["fixed-size"]
        assert (entry["done"], entry["finished"]) == ([0, 1], True)

    def test_the_smallest_overlap_is_found_by_dragging_and_by_arrow_keys(self, learner: Learner) -> None:
        learner.open("overlap").guesses(6)
        learner.drag("overlap", 0.3, steps=1)
        expect(learner.visit.text().locator(".d2").first).to_be_attached()
        expect(learner.fate).to_contain_text("rescues it")
        expect(learner.task).to_contain_text("To do: ")  # rescued, but not by the smallest; the button is still down
        learner.page.mouse.up()
        expect(learner.card.locator(".verdict")).to_be_hidden()
        learner.reach("overlap", 6)
        learner.is_done("Right: it is 6 tokens.")
        expect(learner.beside).to_have_text("= 6 tokens")
        expect(learner.fate).to_contain_text("whole in chunk 2")
        learner.says(overlap="6 tokens", holder="2", fate="rescued")
        learner.goes_on("overlap", 2)
        learner.visit.rested()
        entry = learner.stored()["overlap"]
        assert (entry["step"], entry["done"], entry["finished"]) == (1, [0], False)
        learner.page.get_by_role("link", name="All lessons").click()
        expect(learner.entries.nth(2).locator(".state")).to_have_text("step 2 of 2")
        learner.entries.nth(2).click()
        learner.at("overlap", 2)

    def test_two_ways_to_cut_side_by_side(self, learner: Learner) -> None:
        learner.open("sentence-aware").guesses(2)
        expect(learner.page.locator(".pane")).to_have_count(2)
        numbers = learner.page.locator(".numbers").first
        expect(numbers).to_be_visible()
        before = numbers.inner_text()
        learner.drag("size", -0.05)
        expect(numbers).not_to_have_text(before, use_inner_text=True)
        learner.page.mouse.up()
        learner.reach("size", 120)
        expect(learner.task).to_contain_text("To do: ")
        learner.picks("Sentence-aware")
        learner.is_done("Right.")
        cuts, boundaries = numbers_in(numbers.locator(".meter.sentences p").inner_text())[:2]
        assert (cuts, boundaries) == (0, learner.visit.count() - 1)
        smallest, _, mean, largest = numbers.locator(".row dd").all_inner_texts()
        learner.says(smallest=smallest, largest=f"{largest} tokens", mean=mean, sentence_cuts=0)
        learner.goes_on("sentence-aware", 2)
        expect(learner.page.locator(".pane")).to_have_count(1)

    def test_the_mode_brings_the_heading_back(self, learner: Learner) -> None:
        learner.open("lost-heading").guesses(0)
        expect(learner.card.locator(".verdict.wrong")).to_contain_text("Not quite. The answer: Not first")
        expect(learner.fate).to_contain_text("found at rank 2")
        learner.picks("Sentence-aware")
        learner.shows(setup("lost-heading", 1, mode="sentence"))
        expect(learner.task).to_contain_text("To do: ")
        learner.picks("Structure-aware")
        learner.is_done()
        expect(learner.fate).to_contain_text("found at rank 1")
        learner.says(rank=1)
        learner.visit.pane().locator(".ranked button.holds").click()
        expect(learner.visit.inspector).to_contain_text(learner.facts()["holder_context"])
        learner.goes_on("lost-heading", 2)
        expect(learner.visit.inspector).to_be_hidden()
        learner.guesses(0)
        learner.visit.pane().locator(".field.context select").select_option("off")
        learner.is_done("Not quite.")
        expect(learner.fate).to_contain_text("found at rank 2")
        learner.says(rank=2)
        learner.goes_on(DROWNED)

    def test_another_size_is_another_index(self, learner: Learner) -> None:
        learner.open("reindexing").guesses(2)
        learner.drag("size", -0.012, steps=2)
        learner.page.mouse.up()
        learner.reach("size", 112)
        learner.is_done("Right.")
        old, new = setup("reindexing", 1), setup("reindexing", 1, size=112)
        learner.shows(new)
        same, count = len({*spans(old)} & {*spans(new)}), learner.visit.count()
        processed = learner.visit.numbers.locator("dl.list dd").nth(1).inner_text()
        learner.says(size=112, same_ids=same, count_before=len(old), changed_ids=count - same, count=count)
        learner.says(embedded_tokens=f"{processed} tokens")
        learner.goes_on("reindexing", 2).guesses(2)
        remark = learner.visit.pane().locator(".remark")
        expect(remark).to_contain_text("outlined chunks would not be in the new version")
        learner.picks("Paragraph")
        learner.is_done("Right.")
        expect(remark).to_contain_text("1 outlined chunk would not be in the new version")
        learner.says(stale=1, new="1 chunk", unchanged=f"{learner.visit.count() - 1} chunks")
        learner.onward.click()
        for reload in (True, False):
            expect(learner.entries.last.locator(".state")).to_have_text("✓ done")
            expect(learner.page.locator(".lessons .summary")).to_have_text(f"1 of {len(lessons())} done")
            learner.visit.eventually(lambda: _same(learner.visit.query, {"page": "learn"}))
            if reload:
                learner.page.reload()

    def test_a_larger_chunk_drowns_the_answer(self, learner: Learner) -> None:
        learner.open(DROWNED).guesses(2)
        expect(learner.fate).to_contain_text("The answer is whole in chunk")
        learner.drag("size", 0.25)  # four times as large: the size goes by ratios
        expect(learner.fate).to_contain_text("(5%)")
        learner.page.mouse.up()
        learner.reach("size", 800)
        learner.is_done("Right.")
        before = self.told_alike(learner)
        learner.drag("size", 0.02)
        learner.visit.eventually(lambda: _differ(before, self.told_alike(learner)))  # the button is still down
        learner.page.mouse.up()
        learner.goes_on(DROWNED, 2)
        assert learner.stored()[DROWNED]["done"] == [0]

    @staticmethod
    def told_alike(learner: Learner) -> list[float]:
        """What stage and card say of the answer, once they agree: its tokens, those of its chunk, and its rank."""

        def agreed() -> list[float]:
            _, answer, of, _, rank = numbers_in(learner.fate.inner_text())
            facts = {name: numbers_in(text)[0] for name, text in learner.facts().items()}
            assert [facts[name] for name in ("answer_tokens", "holder_tokens", "rank")] == [answer, of, rank]
            assert facts["share"] == pytest.approx(100 * answer / of, abs=0.051)
            return [answer, of, rank]

        return learner.visit.eventually(agreed)


def _differ(one: object, other: object) -> None:
    assert one != other


class TestDragging:
    def test_nothing_above_the_notice_moves_and_facts_follow_the_hand(self, learner: Learner) -> None:
        learner.open("price-of-overlap").guesses(5)
        learner.visit.rested()
        stay = [learner.card.locator(part) for part in ("h2", "h3", ".body > .prose", ".said", ".task")]
        stage = [learner.visit.text(), learner.visit.slider("overlap")]
        learner.page.evaluate(_RECORD, [one.element_handle() for one in (*stay, *stage)])
        facts, beside = learner.card.locator(".body > .prose .fact"), learner.beside
        for share in (0.08, 0.4, 0.9):
            before = beside.inner_text()
            learner.drag("overlap", share - self.share_of(learner), steps=6)
            expect(beside).not_to_have_text(before)
            learner.visit.eventually(lambda: _same(beside.inner_text(), f"= {facts.nth(1).inner_text()}"))
            learner.page.mouse.up()  # only now
        learner.reach("overlap", 17)
        learner.is_done("Right: it is 5 chunks.")
        learner.drag("overlap", 0.05, steps=4)
        expect(beside).not_to_have_text("= 40 tokens")
        learner.visit.eventually(lambda: _same(beside.inner_text(), f"= {learner.facts()['overlap']}"))
        frames = learner.page.evaluate(_STOP)
        learner.page.mouse.up()
        assert len(frames) > 20
        assert {tuple(map(tuple, frame)) for frame in frames} == {tuple(map(tuple, frames[0]))}

    @staticmethod
    def share_of(learner: Learner) -> float:
        """Where the overlap's thumb is, as a share of its way."""
        found: float = learner.visit.slider("overlap").evaluate("range => range.value / range.max")
        return found


class TestLinks:
    def test_a_projector_is_shown_large_type_and_nothing_around_it(self, visit: Visit) -> None:
        learner = Learner(visit).open(DROWNED, 1, present=1, hide="legend,mode")
        page, prose = learner.page, learner.card.locator(".body .prose p").first
        assert size_of(prose) >= 20
        assert size_of(visit.text().locator(".block").first) >= 20
        expect(page.locator(".st-key-header")).to_have_count(0)
        expect(page.get_by_role("heading", level=1)).to_have_text("Chunking Playground")
        expect(page.locator(".stage .legend")).to_be_hidden()
        words = learner.guesses(0)
        visit.wait_for_query(present=1, hide="legend,mode", lesson=DROWNED, step=1)
        learner.card.get_by_role("button", name="Leave presentation").click()
        expect(page.locator(".st-key-header")).to_be_visible()
        expect(learner.card.get_by_role("button", name="Present", exact=True)).to_be_visible()
        learner.visit.eventually(lambda: _differ(size_of(prose) >= 20, True))
        expect(learner.card.locator(".said")).to_contain_text(words)
        visit.wait_for_query(hide="legend,mode")
        assert "present" not in visit.query
        self.leave_and_come_back(learner, words)

    @staticmethod
    def leave_and_come_back(learner: Learner, words: str) -> None:
        """Take the document, the settings and the question of the lesson along, and find it as it was left."""
        visit, step = learner.visit, lessons()[DROWNED].steps[0]
        before = visit.rerun_messages
        learner.reach("size", 230)
        visit.eventually(lambda: _differ(visit.rerun_messages, before))  # it has settled
        learner.card.get_by_role("button", name="Leave for free play").click()
        visit.wait_for_query(page="playground", doc=step.setup.document, unit="token", overlap=0)
        expect(learner.card).to_have_count(0)
        expect(visit.chosen).to_have_value(step.setup.document)
        expect(visit.slider("overlap")).to_be_visible()
        assert step.setup.ask
        expect(learner.page.get_by_label("Question", exact=True)).to_have_value(str(step.setup.ask["question"]))
        expect(learner.fate).to_be_visible()
        visit.wait_for_query(size=230)
        expect(visit.entry()).to_have_value("230")
        learner.page.get_by_role("button", name="Back to the lesson").click()
        learner.at(DROWNED)
        expect(visit.entry()).to_have_value("230")
        expect(learner.card.locator(".said")).to_contain_text(words)
        learner.reach("size", 800)
        learner.is_done("Not quite.")

    def test_a_link_to_no_step_says_so(self, learner: Learner) -> None:
        learner.visit.open(page="learn", lesson="overlap", step=9)
        learner.at("overlap", 1)
        expect(learner.page.get_by_role("alert")).to_contain_text("9” is not one of 1 to 2; the first is shown.")

    def test_a_narrow_window_has_the_card_first_and_no_sideways_scrolling(self, visit: Visit) -> None:
        visit.page.set_viewport_size({"width": 420, "height": 900})
        learner = Learner(visit).open("price-of-overlap", 2)
        self.fits(learner)
        learner.guesses(500)
        learner.visit.rested()
        self.fits(learner)
        learner.reach("overlap", 50)
        learner.is_done()
        self.fits(learner)

    @staticmethod
    def fits(learner: Learner) -> None:
        """The card stands above the stage, and nothing is wider than the window."""
        card, stage = learner.card.bounding_box(), learner.page.locator(".stage").bounding_box()
        assert card
        assert stage
        assert card["y"] + card["height"] <= stage["y"]
        wide = "() => [document.scrollingElement, document.querySelector('.stMain')].map((one) => one.scrollWidth)"
        assert max(learner.page.evaluate(wide)) <= 420


def size_of(node: Locator) -> float:
    """The size of its type in px."""
    return float(node.evaluate("node => parseFloat(getComputedStyle(node).fontSize)"))


class TestHaste:
    def test_quick_clicks_end_where_the_card_says(self, learner: Learner) -> None:
        learner.open("fixed-size")
        learner.card.locator(".choice").first.click()
        learner.card.get_by_role("button", name="That is my prediction").dblclick()
        expect(learner.card.locator(".said")).to_contain_text("You said: ")
        learner.onward.dblclick()
        learner.at("fixed-size", 2)
        expect(learner.card.locator(".predict")).to_be_visible()
        learner.card.get_by_role("link", name="Back").dblclick()
        learner.at("fixed-size", 1)
        for link in (".steps a >> nth=1", ".steps a >> nth=0", ".onward"):  # nobody waits for what each brings
            learner.card.locator(link).click()
        learner.at("fixed-size", 2).guesses(2)
        learner.picks("Words")
        learner.is_done("Right.")
        expect(learner.page.locator(".stException, .stage .connection:visible")).to_have_count(0)

    def test_who_clicks_before_a_move_has_settled_is_not_brought_back(self, learner: Learner) -> None:
        learner.open(DROWNED).guesses(0)
        learner.visit.rested()
        leave = learner.card.get_by_role("button", name="Leave for free play").element_handle()
        # A stage settles 220 ms after a move. So what it sends comes after the click, and is still of the page before.
        learner.visit.slider().evaluate(
            """(range, button) => {
              range.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
              setTimeout(() => button.click(), 205);
            }""",
            leave,
        )
        learner.visit.wait_for_query(page="playground")
        learner.visit.rested()
        learner.visit.wait_for_query(page="playground")
        expect(learner.card).to_have_count(0)

    def test_a_word_of_the_glossary_is_explained_in_the_card(self, learner: Learner) -> None:
        learner.open("fixed-size")
        word = learner.card.get_by_role("button", name="boundary", exact=True)
        word.hover()
        tip = learner.page.locator(".tip:visible")
        expect(tip).to_have_text(next(one.says for one in glossary() if one.term == "boundary"))
        learner.page.keyboard.press("Escape")
        expect(tip).to_have_count(0)
