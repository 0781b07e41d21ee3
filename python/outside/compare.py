"""Compare the states that two engines reached, and print a table.

    python compare.py OURS REFERENCE

For each task and step: the greatest difference of a coordinate or velocity from the reference's, and the greatest among
the reference's perturbed runs. Fails if ours is more than ten times as large.
"""

import sys

import numpy as np

LIMIT = 10
# Differences below are of the last digits of double precision.
ROUNDING = 1e-14


def main() -> int:
    """Print the table, and return the number of tasks that are too far off."""
    ours, reference = (np.load(path) for path in sys.argv[1:])
    print("| task | step 10: ours | noise | step 100: ours | noise | step 1000: ours | noise | |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    failures = 0
    for name in reference.files:
        true, *perturbed = reference[name]
        off = np.abs(ours[name][0] - true).max(axis=1)
        noise = np.max([np.abs(p - true).max(axis=1) for p in perturbed], axis=0)
        good = bool((off <= np.maximum(LIMIT * noise, ROUNDING)).all())
        failures += not good
        cells = " | ".join(f"{a:.0e} | {b:.0e}" for a, b in zip(off, noise, strict=True))
        print(f"| {name} | {cells} | {'' if good else 'too far'} |")
    print(f"\n{len(reference.files) - failures} of {len(reference.files)} tasks within {LIMIT} times the noise.")
    return failures


if __name__ == "__main__":
    sys.exit(min(main(), 1))
