"""Programs that are interrupted as by Ctrl-C."""

import signal
import subprocess
import sys
import time

# A program that was started in the background ignores interrupts unless it says otherwise.
_HEAD = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"


def run(code: str) -> tuple[str, int, float]:
    """Run a program that prints ``ready``, and interrupt it.

    Returns what it printed then, its exit status, and the seconds from the interrupt to its end.
    """
    with subprocess.Popen([sys.executable, "-c", _HEAD + code], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout.readline().strip() == "ready"
            time.sleep(0.3)
            start = time.monotonic()
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    return out.strip(), process.returncode, time.monotonic() - start
