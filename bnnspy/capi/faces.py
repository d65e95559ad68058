"""Every function of the C face.

Written by cffi_build.py from the files beside this one.
"""

from bnnspy.capi.gather import BNNSGather
from bnnspy.capi.queries import BNNSDataLayoutGetRank, BNNSNDArrayGetDataSize
from bnnspy.capi.rearrange import BNNSTranspose
from bnnspy.capi.scatter import BNNSScatter

__all__ = [
    "BNNSDataLayoutGetRank",
    "BNNSGather",
    "BNNSNDArrayGetDataSize",
    "BNNSScatter",
    "BNNSTranspose",
]
