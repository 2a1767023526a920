"""Whether a period ends a sentence: Punkt's decision, and the abbreviations and habits that its training lacks.

Punkt (Kiss and Strunk 2006) decides from the word before a period and the word after it. NLTK's implementation
takes some 40 microseconds for that, under a clock that counts the work of all threads, so the decision is written
out here over the same parameters. `sentences` asks `period_ends` wherever white space follows a period.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import cache, lru_cache

from playground.resources import punkt_parameters


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Never the last word of a sentence. Here and below: English, then German, Romance languages, Russian, Greek.
_NEVER = _words(
    "e.g eg i.e ie cf vs viz a.k.a w.r.t resp incl excl z.b d.h u.a bzw vgl ggf evtl inkl p.ej p.ex"
    " т.е т.к напр см π.χ δηλ"
)
# A name follows, so that only a word which is hardly ever a name starts a sentence.
_TITLES = _words(
    "mr mrs ms dr prof st mt ft fr sen rep gov gen lt col maj capt cpt sgt cmdr adm hon rev messrs pres supt"
    " sr sra srta dra ud uds mme mlle mlles hr dipl ing проф акад ул им डॉ"
)
# Abbreviations where a number, or something like one, follows; otherwise words as any other.
_NUMBERED = _words(
    "no nos nr núm fig figs eq eqs sec ch chap vol vols p pp pg pág art arts ver v ref refs tab para paras pt pts"
    " ex op n n° est col cols mar apr jun jul sat sun mon thu thur thurs tues wed стр рис гл"
)
# Of these, where a single "A" or "I" counts too.
_LETTERED = _words("fig figs eq ch chap vol pt tab")
# Abbreviations that may end a sentence: Punkt looks at the next word.
_ABBREVIATIONS = _words(
    "al etc approx ca dept ed eds edn assn assoc univ inst ave blvd rd hwy bldg apt lb lbs oz avg esp cont misc"
    " tel ext fax ibid cit dist adj adv govt intl natl ph.d plc gmbh llc pty trans repr suppl orig std temp hrs mins"
    " secs min max mfg mgmt qty usw abb bd hrsg jh geb av env págs ee.uu др пр т.д т.п тыс руб ред"
)
# In small letters these are words, whatever they abbreviate with a capital.
_WORDS_WHEN_SMALL = _words("ok ill wash conn pa fla ore rep gen sat sun mar mon tab")
# Words that start a sentence after an abbreviation; the trained list is short.
_STARTERS = _words(
    "the a an we you i they he she it its our my your his her their this that these those here now then what when"
    " where why how who which as at on for from to by with after before because no not one all each every"
    " please see use"
)
# After "5 p.m." a capital starts a sentence unless it tells the time.
_TIMES = _words(
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun"
    " january february march april may june july august september october november december"
    " jan feb mar apr jun jul aug sep sept oct nov dec eastern central mountain pacific"
)
_GERMAN_MONTHS = _words("januar februar märz april mai juni juli august september oktober november dezember")

# What Punkt learned of a word: seen with a capital, seen with one inside a sentence, seen small, seen small at
# the start of a sentence.
_UPPER, _UPPER_INSIDE, _LOWER, _LOWER_FIRST = 2 | 4 | 8, 4, 16 | 32 | 64, 16

_NUMBER = re.compile(r"-?[.,]?\d[\d,.-]*+")
_LIKE_A_NUMBER = re.compile(r"[(\[§#]?(?:[A-Za-z]?\d|[IVXLC]{2,}+(?!\w)|[ivxlc]{2,}+(?!\w)|[B-HJ-Z](?![\w'’]))")
_ACRONYM = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")
_SEMITIC = re.compile(r"[\u0590-\u06ff]")  # letters without case: one alone abbreviates
_INITIAL = re.compile(r"[^\W\d_]\.")


@dataclass(frozen=True)
class Punkt:
    """Trained parameters, and the decision that they lead to."""

    abbreviations: Set[str]
    starters: Set[str]
    collocations: Set[tuple[str, ...]]
    case: Mapping[str, int]

    def ends(self, word: str, following: str) -> bool:
        """Whether the period between `word` and `following` (not empty) ends a sentence: sections 3 and 4."""
        kind = word.lower()
        number = _NUMBER.fullmatch(kind) is not None
        initial = len(word) == 1 and word.isalpha()
        abbreviation = self._abbreviates(kind)
        after = self._kind_after(following)
        if ("##number##" if number else kind, after) in self.collocations:
            return False
        starts = self._starts_sentence(following, after)
        if abbreviation and not initial:
            return starts is True or (following[0].isupper() and after in self.starters)
        if initial or number:
            rare = following[0].isupper() and not self.case.get(after, 0) & _LOWER
            if starts is False or (starts is None and initial and rare):
                return False
        return not abbreviation

    def _abbreviates(self, kind: str) -> bool:
        return kind in self.abbreviations or kind.rsplit("-", 1)[-1] in self.abbreviations

    def _kind_after(self, following: str) -> str:
        """The form under which Punkt counted the next word: a period stays with an abbreviation only."""
        kind = _NUMBER.sub("##number##", following.lower(), count=1)
        bare = kind[:-1]
        return bare if bare and kind.endswith(".") and not self._abbreviates(bare) else kind

    def _starts_sentence(self, following: str, kind: str) -> bool | None:
        """Whether the case of the next word says that it starts a sentence; None where it does not say."""
        seen = self.case.get(kind, 0)
        if following[0].isupper() and seen & _LOWER and not seen & _UPPER_INSIDE:
            return True
        if following[0].islower() and (seen & _UPPER or not seen & _LOWER_FIRST):
            return False
        return None


@cache
def trained() -> Punkt:
    """The shipped English parameters, as they are."""
    found = punkt_parameters()
    return Punkt(found.abbrev_types, found.sent_starters, found.collocations, dict(found.ortho_context))


@cache
def _extended() -> Punkt:
    """The parameters with our words; single letters are initials only, and number collocations of one newspaper go."""
    base = trained()
    return Punkt(
        abbreviations=frozenset(kind for kind in base.abbreviations if len(kind) > 1) | _ABBREVIATIONS,
        starters=base.starters | _STARTERS,
        collocations=frozenset(pair for pair in base.collocations if pair[0] != "##number##"),
        case=base.case,
    )


@cache
def special_words() -> frozenset[str]:
    """Words of two letters or more, small, for which `period_ends` needs to be asked; it is true of all others."""
    return _NEVER | _TITLES | _NUMBERED | _WORDS_WHEN_SMALL | _extended().abbreviations


@lru_cache(maxsize=1 << 14)
def period_ends(word: str, following: str, alone: bool = False) -> bool:
    """Whether the period after `word` ends a sentence when `following` is the next word (empty: a symbol).

    `alone`: nothing is before `word` in its sentence.

    >>> period_ends("left", "Then"), period_ends("Fig", "3"), period_ends("U.S", "Now"), period_ends("Dr", "Who")
    (True, False, True, False)
    """
    kind = word.lower()
    if kind in _WORDS_WHEN_SMALL and word.islower():
        return True
    if kind in _NEVER:
        return False
    if kind in _NUMBERED and _takes_a_number(word, kind, following):
        return False
    if kind in _TITLES:
        return following[:1].isupper() and following.lower() in trained().starters
    if len(word) == 1 and (_INITIAL.fullmatch(following) or _SEMITIC.match(word)):
        return False
    if alone and _ACRONYM.fullmatch(word):
        return False
    if kind in ("a.m", "p.m"):
        return following[:1].isupper() and not following.isupper() and following.lower() not in _TIMES
    if following.lower() in _GERMAN_MONTHS and word.isdecimal() and len(word) <= 2:
        return False
    return _punkt_ends(word, kind, following)


def _takes_a_number(word: str, kind: str, following: str) -> bool:
    """Whether a word that is an abbreviation only with its number has one, or goes on in small letters: Sec. of."""
    if _LIKE_A_NUMBER.match(following):
        return True
    return word[0].isupper() and (following[:1].islower() or (kind in _LETTERED and following in ("A", "I")))


def _punkt_ends(word: str, kind: str, following: str) -> bool:
    punkt = _extended()
    if not following:
        return kind not in punkt.abbreviations
    if _ACRONYM.fullmatch(kind) and kind not in punkt.abbreviations:
        word = "u.s"  # any letters with periods between them behave as the best known of them
    return punkt.ends(word, following)
