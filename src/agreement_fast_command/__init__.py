"""Where the command begins: a package of its own, since importing agreement_fast takes a while.

Ctrl-C is heard in that while, too, and ends the command without a traceback.
"""

INTERRUPTED = 130  # 128 + SIGINT, as shells give it


def main() -> int:
    """Run the command, and return its exit code."""
    try:
        from agreement_fast.cli import main as run

        return run()
    except KeyboardInterrupt:
        return INTERRUPTED
