"""Every function of the Swift face.

Written by cffi_build.py from the files beside this one.
"""

from bnnspy.overlay.gather import gather
from bnnspy.overlay.rearrange import transpose
from bnnspy.overlay.scatter import scatter

__all__ = [
    "gather",
    "scatter",
    "transpose",
]
