"""A process that undoes and ends, to be stopped from outside: python -m tests.support.one_undo PLACE SEQ..."""

import sys
from pathlib import Path

from tests.support.bench import Bench
from tests.support.clock import FakeClock, counting_ids

if __name__ == "__main__":
    bench = Bench(Path(sys.argv[1]), FakeClock())
    bench.clock.advance(60)
    bench.ids = counting_ids("one-undo")
    bench.undo(*map(int, sys.argv[2:]))
    bench.close()
