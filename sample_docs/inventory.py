"""The stock book of a small chandlery: what lies on the shelves, who has spoken for it, what must be ordered.

The shop sells rope, lamp oil, shackles and biscuits to boats that leave early. Its paper book had three rules, and this
module keeps all of them. Nothing is issued that is not there. Nothing that is reserved is sold to somebody else before
the reservation lapses. Every movement leaves a line that can be read back, in order, by a person with a torch.

Quantities are whole pieces, lengths are sold as whole metres, and money is counted in cents so that no sum is ever off
by a rounding. Days are ``datetime.date`` values handed in by the caller; nothing here asks the clock what day it is, so
the same calls always give the same book.

>>> book = StockBook("Quay Street")
>>> book.add(Item("ROPE-12", "Mooring rope, 12 mm", cents=240, reorder_at=50))
>>> book.receive("ROPE-12", 80)
80
>>> book.issue("ROPE-12", 35, day=date(2024, 6, 3))
7980
>>> book.free("ROPE-12", day=date(2024, 6, 3))
45
"""

from __future__ import annotations

import asyncio
import functools
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Concatenate, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

# A shelf takes what fits under the window sill; the measure dates from before the extension.
SHELF_LIMIT = 400

# Below this many pieces an item is ordered again, unless the item itself says otherwise.
DEFAULT_REORDER = 20

# Ten or more pieces of one item in one sale earn this discount, in percent.
BULK_FROM, BULK_PERCENT = 10, 5

CATEGORIES = {"ROPE": "Rope and line", "OIL": "Oil and paraffin", "BISC": "Provisions", "SHCK": "Shackles and pins"}


class StockError(Exception):
    """Something was asked of the book that the shelves cannot give."""


class UnknownItemError(StockError):
    """The code is in no line of the book."""


def recorded(verb: str) -> Callable[[Callable[Concatenate[StockBook, P], R]], Callable[Concatenate[StockBook, P], R]]:
    """Return a decorator that writes one line into the journal after a method has succeeded.

    The method must belong to a ``StockBook``, whose journal takes the line. A method that raises leaves no line,
    because a sale that did not happen is no movement. Put the decorator directly above the function, as here:

        @recorded("sold")
        def sell(self, code: str, pieces: int) -> int:
            ...

    The text above begins with ``def sell`` and yet defines nothing; it is an example inside a docstring.
    """

    def wrap(method: Callable[Concatenate[StockBook, P], R]) -> Callable[Concatenate[StockBook, P], R]:
        @functools.wraps(method)
        def inner(book: StockBook, /, *args: P.args, **kwargs: P.kwargs) -> R:
            outcome = method(book, *args, **kwargs)
            # Only what was named in order is written down; the day stands at the head of the page already
            book.journal.append(f"{verb} {' '.join(str(part) for part in args)}")
            return outcome

        return inner

    return wrap


def positive(
    method: Callable[Concatenate[StockBook, str, int, P], R],
) -> Callable[Concatenate[StockBook, str, int, P], R]:
    """Return the method guarded against a number of pieces that is zero or less.

    The guarded number is the third argument, after the book and the code. Goods that a customer brings back are entered
    with ``receive``, never as a sale of minus one.
    """

    @functools.wraps(method)
    def inner(book: StockBook, code: str, pieces: int, /, *args: P.args, **kwargs: P.kwargs) -> R:
        if pieces <= 0:
            raise StockError(f"{pieces} pieces of {code} cannot be moved.")
        return method(book, code, pieces, *args, **kwargs)

    return inner


@dataclass(frozen=True, slots=True)
class Item:
    """One line of the price list: a code, a name, the price of a piece and the level at which it is ordered again."""

    code: str
    name: str
    cents: int
    reorder_at: int = DEFAULT_REORDER
    fragile: bool = False

    @property
    def category(self) -> str:
        """The heading under which the item is printed; "Sundries" when its prefix is not in the table."""
        return CATEGORIES.get(self.code.partition("-")[0], "Sundries")

    @classmethod
    def parse(cls, line: str) -> Item:
        """Return the item that a line of the price list describes, fields parted by semicolons.

        Raises ``StockError`` when the line has fewer than three fields or a price that is not a number.

        >>> Item.parse("OIL-1; Lamp oil, one litre; 3.50").cents
        350
        """
        fields = [part.strip() for part in line.split(";")]
        if len(fields) < 3:
            raise StockError(f"A line needs a code, a name and a price: {line!r}")
        code, name, price, *rest = fields
        euros, _, small = price.partition(".")
        if not (euros + small).isdigit():
            raise StockError(f"{price!r} is not a price.")
        return cls(code, name, int(euros or 0) * 100 + int(small.ljust(2, "0")[:2]), fragile="fragile" in rest)


@dataclass(slots=True)
class Reservation:
    """Pieces put aside for somebody: held up to and including ``until``, and free again on the day after."""

    code: str
    pieces: int
    holder: str
    until: date

    def holds_on(self, day: date) -> bool:
        """True while the pieces may be sold to nobody but the holder."""
        return day <= self.until


# The stamp is printed at the head of every list.  The parcel and the thread are single characters to Python and four
# bytes each in the file, so anything that counts bytes goes wrong from here on.
STAMP = "📦 Stock book ⚓ checked by hand 🧵"


def stamped(title: str, *, width: int = 60) -> str:
    """Return the two head lines of a printed list: the stamp, and the title between rules of equal length."""
    rule = "-" * max(2, (width - len(title) - 2) // 2)
    return f"{STAMP}\n{rule} {title} {rule}"


@dataclass
class StockBook:
    """The whole book of one shop.

    ``items`` is the price list by code, ``on_shelf`` the pieces that are physically there, ``reservations`` what has
    been put aside, and ``journal`` the movements in the order in which they happened. Pieces that are put aside are
    still on the shelf: what may be sold to a stranger is given by ``free``.
    """

    shop: str
    items: dict[str, Item] = field(default_factory=dict)
    on_shelf: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    reservations: list[Reservation] = field(default_factory=list)
    journal: list[str] = field(default_factory=list)

    def __contains__(self, code: object) -> bool:
        return code in self.items

    def __iter__(self) -> Iterator[Item]:
        return iter(sorted(self.items.values(), key=lambda item: item.code))

    def __len__(self) -> int:
        return len(self.items)

    # Adding an item twice is how prices change, so the second one quietly replaces the first.  The pieces on the shelf
    # stay as they were.
    def add(self, item: Item) -> None:
        """Enter an item in the price list, or give an item that is already there its new name and price."""
        self.items[item.code] = item

    def find(self, code: str) -> Item:
        """Return the item with this code; raise ``UnknownItemError`` with the nearest code when there is none."""
        if code in self.items:
            return self.items[code]

        def shared(other: str) -> int:
            pairs = zip(code, other, strict=False)
            return sum(1 for mine, theirs in pairs if mine == theirs)

        nearest = max(self.items, key=shared, default="nothing")
        raise UnknownItemError(f"There is no {code!r} in the book. Did you mean {nearest!r}?")

    @recorded("received")
    @positive
    def receive(self, code: str, pieces: int) -> int:
        """Put pieces on the shelf and return how many lie there now.

        Raises ``StockError`` when the shelf would hold more than ``SHELF_LIMIT``. Fragile items get half a shelf,
        since they may not be stacked.
        """
        item = self.find(code)
        limit = SHELF_LIMIT // 2 if item.fragile else SHELF_LIMIT
        if self.on_shelf[code] + pieces > limit:
            raise StockError(f"The shelf for {item.name} takes {limit} pieces at most.")
        self.on_shelf[code] += pieces
        return self.on_shelf[code]

    def free(self, code: str, *, day: date, holder: str = "") -> int:
        """Return how many pieces may be sold on this day to ``holder``, who also has a claim to their own."""
        self.find(code)
        others = (mine for mine in self.reservations if mine.code == code and mine.holder != holder)
        return self.on_shelf[code] - sum(mine.pieces for mine in others if mine.holds_on(day))

    @recorded("issued")
    @positive
    def issue(self, code: str, pieces: int, *, day: date, holder: str = "") -> int:
        """Take pieces from the shelf and return the price in cents.

        A holder's own reservations are used up first, the oldest before the younger. From ``BULK_FROM`` pieces the
        price falls by ``BULK_PERCENT``, and the discount is rounded in favour of the shop. Raises ``StockError`` when
        fewer pieces are free than were asked for; in that case nothing changes at all.
        """
        item = self.find(code)
        free = self.free(code, day=day, holder=holder)
        if pieces > free:
            raise StockError(f"Only {free} of {item.name} may be sold; {pieces} were asked for.")
        self.on_shelf[code] -= pieces
        self._use_up(code, pieces, holder)
        full = item.cents * pieces
        return full - (full * BULK_PERCENT // 100 if pieces >= BULK_FROM else 0)

    def _use_up(self, code: str, pieces: int, holder: str) -> None:
        for mine in self.reservations:
            if mine.code == code and mine.holder == holder:
                used = min(mine.pieces, pieces)
                mine.pieces -= used
                pieces -= used
        self.reservations = [mine for mine in self.reservations if mine.pieces]

    # The three methods below differ in their defaults alone.  They stay apart because the counter asks "school, market
    # or boat?" and not "how many days?".

    def reserve_for_school(self, code: str, pieces: int, *, day: date, days: int = 14, limit: int = 30) -> Reservation:
        """Put pieces aside for the sailing school and return the reservation.

        It holds for 14 days unless told otherwise, and for no more than 30 pieces of one item.
        """
        return self._reserve(Reservation(code, pieces, "school", day + timedelta(days=days)), day, limit)

    def reserve_for_market(self, code: str, pieces: int, *, day: date, days: int = 3, limit: int = 12) -> Reservation:
        """Put pieces aside for the Saturday market and return the reservation.

        It holds for 3 days unless told otherwise, and for no more than 12 pieces of one item.
        """
        return self._reserve(Reservation(code, pieces, "market", day + timedelta(days=days)), day, limit)

    def reserve_for_boat(self, code: str, pieces: int, *, day: date, days: int = 7, limit: int = 90) -> Reservation:
        """Put pieces aside for a boat and return the reservation.

        It holds for 7 days unless told otherwise, and for no more than 90 pieces of one item.
        """
        return self._reserve(Reservation(code, pieces, "boat", day + timedelta(days=days)), day, limit)

    # What is free can only grow until the last day of the new reservation, so looking at its first day is enough.
    def _reserve(self, wish: Reservation, day: date, limit: int) -> Reservation:
        free = self.free(wish.code, day=day)
        if not 0 < wish.pieces <= min(limit, free):
            text = f"{wish.pieces} of {wish.code} cannot be put aside for the {wish.holder}"
            raise StockError(f"{text}: {free} are free, and the limit is {limit}.")
        self.reservations.append(wish)
        return wish

    def to_order(self) -> dict[str, int]:
        """Return, by code, how many pieces bring each short item back to twice its reorder level.

        Reservations are ignored on purpose: what is put aside today will be gone by the time the order arrives.
        """
        short = (item for item in self if self.on_shelf[item.code] < item.reorder_at)
        return {item.code: 2 * item.reorder_at - self.on_shelf[item.code] for item in short}


def order_list(book: StockBook) -> str:
    """Return the list for the supplier as text, grouped by category, with the stamp at its head."""
    wanted = book.to_order()
    groups: defaultdict[str, list[str]] = defaultdict(list)

    def row(item: Item) -> str:
        mark = " (fragile)" if item.fragile else ""
        return f"  {wanted[item.code]:>4} x {item.name}{mark}"

    for item in book:
        if item.code in wanted:
            groups[item.category].append(row(item))
    parts = [f"{name}:\n" + "\n".join(rows) for name, rows in sorted(groups.items())]
    return "\n".join([stamped(f"Order, {book.shop}"), *parts])


# Suppliers answer by telephone and slowly, so they are asked all at once.  Deliveries are then entered one after the
# other, in the order of their codes, or else two runs would leave two different journals.
async def refill(book: StockBook, ask: Callable[[str, int], Awaitable[int]]) -> dict[str, int]:
    """Order everything that is short, enter what the suppliers send, and return the pieces received by code.

    ``ask(code, pieces)`` is awaited for every short item and gives the number that was really sent. A supplier who
    sends nothing is left out of the answer, and the item is still short afterwards.
    """
    wanted = sorted(book.to_order().items())
    sent = await asyncio.gather(*(ask(code, pieces) for code, pieces in wanted))
    arrived = {code: pieces for (code, _), pieces in zip(wanted, sent, strict=True) if pieces > 0}
    for code, pieces in arrived.items():
        book.receive(code, pieces)
    return arrived
