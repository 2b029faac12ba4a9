"""How the tests compress files."""

import gzip
import sys
from collections.abc import Callable

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

# As the program zstd does.
_CHECKED = {zstd.CompressionParameter.checksum_flag: 1}

#: For each name of a packing its usual ending and what compresses.
PACKINGS: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "gzip": (".gz", lambda content: gzip.compress(content, compresslevel=1, mtime=0)),
    "zstd": (".zst", lambda content: zstd.compress(content, options=_CHECKED)),
}
