"""``python -m agreement_fast``: the command."""

import sys

from agreement_fast.cli import main

sys.exit(main())
