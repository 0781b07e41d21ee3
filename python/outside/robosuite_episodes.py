"""Run an episode of some of robosuite's tasks with random actions, and print one line a task.

    python -m mj run robosuite_episodes.py
"""

import sys

import numpy as np
import robosuite

TASKS = ("Lift", "Stack", "Door", "NutAssembly")
HORIZON = 100


def main() -> int:
    """Run the episodes, and return the number of those that went wrong."""
    failures = 0
    for task in TASKS:
        env = robosuite.make(
            task,
            robots="Panda",
            has_renderer=False,
            has_offscreen_renderer=False,
            use_camera_obs=False,
            horizon=HORIZON,
        )
        env.reset()
        rng, steps, done, good = np.random.default_rng(0), 0, False, True
        while not done:
            seen, reward, done, _ = env.step(rng.uniform(*env.action_spec))
            good &= bool(np.isfinite(reward)) and all(np.isfinite(x).all() for x in seen.values())
            steps += 1
        good &= steps == HORIZON
        failures += not good
        print(f"{task}: {steps} steps, {'good' if good else 'bad'}", flush=True)
        env.close()
    return failures


if __name__ == "__main__":
    sys.exit(main())
