"""The compiled kernels: codes, weights and floats in, arrays out; they check nothing."""

from pkgutil import extend_path

# A checkout found before the installed package would lack the compiled modules.
__path__ = extend_path(__path__, __name__)
