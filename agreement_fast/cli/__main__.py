"""``python -m agreement_fast.cli``."""

import sys

from agreement_fast.cli import main

sys.exit(main())
