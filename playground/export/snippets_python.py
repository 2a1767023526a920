"""The script in plain Python, for `snippets`: windows of units, or the furthest of the coarsest boundaries.

It needs nothing but `regex` for whole characters and `tiktoken` for tokens, and finds the very spans on
the screen wherever `approximate` has nothing to say.
"""

from __future__ import annotations

from playground.core.config import ChunkingConfig
from playground.export.snippets_common import READ, Written, approximate, ladder_of, opens, pattern_of, script

_STARTS = {
    "character": "starts = list(range(len(text)))\n",
    "word": 'starts = [0, *[match.start() for match in re.finditer(r"\\S+", text)][1:]]\n',
    "token": """\
encoding = tiktoken.get_encoding({tokenizer})
owner = [index for index, character in enumerate(text) for _ in character.encode()]  # of every byte
at = [0, *accumulate(map(len, encoding.decode_tokens_bytes(encoding.encode_ordinary(text))))][:-1]
starts = [owner[byte] for byte in at]
whole = [not byte or owner[byte] != owner[byte - 1] for byte in at]  # whether it begins with a whole character
""",
}
_SAFE = 'safe = {0, *accumulate(map(len, regex.findall(r"\\X", text)))}  # never inside what a reader sees as one\n'
_FIXED = """\
units = [(at, number) for number, at in enumerate([*starts, len(text)]) if at in safe]
{whole}offsets, places = [at for at, _ in units], [number for _, number in units]
spans, first, blank = [], 0, not text.strip()
while not blank:
    last = max(bisect_right(places, places[first] + SIZE) - 1, first + 1)
    spans.append([offsets[first], offsets[last]])
    if last == len(places) - 1:
        break
    first = min(bisect_left(places, max(places[last] - OVERLAP, places[last + 1] - SIZE)), last)
if blank and text:
    spans = [[0, len(text)]]
"""
_WHOLE_TOKENS = """\
units = [(at, number) for at, number in units if number == len(starts) or whole[number]]
"""
_LEVELS = """

def size(start, end):
    return bisect_left(starts, end) - bisect_right(starts, start) + 1


def cuts(pattern, keep):  # after each match, or after the first `keep` characters of it
    found = [match.end() if keep is None else match.start() + keep for match in re.finditer(pattern, text)]
    return safe & {{0, *found, len(text)}}


levels, known = [], {{0, len(text)}}
for pattern, keep in {ladder}:
    known = known | cuts(pattern, keep)
    levels.append(sorted(known))
levels.append(sorted(known | (safe & set(starts))))
spans, start, wall, blank = [], 0, len(text), not text.strip()
while not blank:
    for number, bounds in enumerate(levels):  # the coarsest boundary that is near enough, and the furthest of these
        low, high = bisect_right(bounds, start), bisect_right(bounds, wall)
        last = bisect_right(bounds, SIZE, low, high, key=lambda end: size(start, end)) - 1
        if last >= low:
            break
    else:
        end = bounds[low]
        number = next(number for number, bounds in enumerate(levels) if end in bounds)
        bounds = levels[number]
        last = bisect_left(bounds, end)
    end = bounds[last]
    spans.append([start, end])
    if end == len(text):
        break
{wall}    # Whole pieces are repeated, so many that the next one still fits.
    held = [at for at in bounds[bisect_right(bounds, start) : last] if size(at, end) <= OVERLAP]
    start = next((at for at in held if size(at, bounds[last + 1]) <= SIZE), end)
if blank and text:
    spans = [[0, len(text)]]
"""


_WALL = """\
    # What was cut further down stays in its piece.
    wall = levels[number - 1][bisect_right(levels[number - 1], end)] if number else len(text)
"""


def plain_python(config: ChunkingConfig) -> Written:
    """The script in plain Python."""
    ladder = ladder_of(config)
    starts = _STARTS[config.unit].format(tokenizer=ascii(config.tokenizer))
    if ladder or config.mode == "recursive":
        pairs = ", ".join(f"({pattern_of(one)}, {_kept(one)})" for one in ladder)
        body = _LEVELS.format(ladder=f"[{pairs}]", wall=_WALL if config.mode == "recursive" else "")
    else:
        body = _FIXED.format(whole=_WHOLE_TOKENS if config.unit == "token" else "")
    sizes = f"SIZE, OVERLAP = {config.size}, {config.overlap}\n"
    imported = "from bisect import bisect_left, bisect_right\nfrom itertools import accumulate"
    return script(f"{sizes}{READ}{starts}{_SAFE}{body}", imported), approximate(config)


def _kept(separator: str) -> int | None:
    return len(separator) - len(separator.lstrip("\n")) if opens(separator) else None
