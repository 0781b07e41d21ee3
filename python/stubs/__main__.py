"""Writes the stubs of the package, or checks that they are current: ``python stubs [--check]``.

The package is the one that Python imports; stubs lie beside its sources.
"""

from __future__ import annotations

import sys
from pathlib import Path

from modules import pages

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Runs the command; returns its exit status."""
    check, stale = "--check" in sys.argv[1:], []
    for name, text in pages(ROOT / "src").items():
        path = ROOT / "mj" / name
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if not check:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path}")
    if check and stale:
        print(f"stale stubs: {', '.join(stale)}; run `cargo xtask python --stubs`", file=sys.stderr)
        return 1
    return 0


sys.exit(main())
