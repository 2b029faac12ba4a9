"""The entry point of the command, a separate package because importing agreement_fast takes time.

Ctrl-C during the import ends the command without a traceback.
"""

INTERRUPTED = 130  # 128 + SIGINT, as shells give it


def main() -> int:
    """Run the command, and return its exit code."""
    try:
        from agreement_fast.cli import main as run

        return run()
    except KeyboardInterrupt:
        return INTERRUPTED
