"""`python -m bnnspy.conformance`."""

import sys

from bnnspy.conformance import main

sys.exit(main())
