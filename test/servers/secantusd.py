"""Starts SecantusDB so that a write does not take the longer, the more writes there were.

At each write it walks all the answers that it keeps for writes that are sent again: 10,000 of them, for half an hour.
After some thousand writes that is most of what a write costs. What is sent again comes at once, so 500 are enough.
"""

import sys

from secantus import transactions
from secantus.cli import main

if not hasattr(transactions, "_RETRYABLE_RECORD_MAX"):
    raise SystemExit("This version of SecantusDB bounds the writes that it remembers in another way.")
transactions._RETRYABLE_RECORD_MAX = 500
sys.exit(main())
