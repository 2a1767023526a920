"""The command line: chunk files as the page does, write the chunks, print the statistics as a table.

`options` says what may be asked for, `work` does it. Exit codes: 0 all went well; 1 a file could not be read or written
(the others were chunked); 2 the command made no sense.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from playground.cli.options import configured, format_of, parser
from playground.cli.work import COLUMNS, Work, as_table, write
from playground.core.config import ConfigError

OK, FAILED, USAGE = 0, 1, 2


def main(arguments: Sequence[str]) -> int:
    """Run the command; returns the exit code."""
    options = parser().parse_args(arguments)
    try:
        config = configured(options)
        form = format_of(options.out, options.format)
    except (ConfigError, ValueError) as fault:
        print(f"error: {fault}", file=sys.stderr)
        return USAGE
    work = Work(config, quiet=options.quiet)
    chunkings = work.chunkings(options.files)
    if options.out is None:
        for _ in chunkings:
            pass
    else:
        try:
            write(chunkings, options.out, form, quiet=options.quiet)
        except ValueError as fault:
            print(f"error: {options.out} was not written. {fault}", file=sys.stderr)
            return FAILED
        except OSError as fault:
            print(f"error: {options.out} could not be written: {fault.strerror or fault}.", file=sys.stderr)
            return FAILED
    if not options.quiet and work.rows:
        print(as_table(COLUMNS, work.rows))
    return FAILED if work.failed else OK
